// A published site: the lab's pages with replies from files.
import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./lib/theme.svelte";

mount(App, { target: document.getElementById("app")! });
