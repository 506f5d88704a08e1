// First, so that the address has no token when the pages read it.
import "./api/token";

import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./lib/theme.svelte";

mount(App, { target: document.getElementById("app")! });
