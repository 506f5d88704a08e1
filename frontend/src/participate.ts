// The page of a session's participants: /join/CODE. It is a document of its own, so that a phone loads nothing of the lab.
import { mount } from "svelte";

import "./app.css";
import "./lib/theme.svelte";
import Participate from "./pages/participate/Participate.svelte";

mount(Participate, { target: document.getElementById("app")! });
