// This import comes first, so that the token is removed from the address before the pages read the address.
import "./api/token";

import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./lib/theme.svelte";

mount(App, { target: document.getElementById("app")! });
