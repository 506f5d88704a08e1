// A published site: the lab's pages with replies from files.
import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import Embed from "./embed/Embed.svelte";
import "./lib/theme.svelte";

const target = document.getElementById("app")!;
// The page for frames in other sites shows one replay or one chart.
mount("embedded" in target.dataset ? Embed : App, { target });
