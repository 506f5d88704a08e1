// A replay or a chart alone, for a frame in a page of another site.
import { mount } from "svelte";

import "./app.css";
import Embed from "./embed/Embed.svelte";
import "./lib/theme.svelte";

mount(Embed, { target: document.getElementById("app")! });
