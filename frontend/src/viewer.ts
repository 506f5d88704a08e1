// The viewer: a single file that replays the record of any game without a server or network.
import { mount } from "svelte";

import "./app.css";
import Viewer from "./viewer/Viewer.svelte";

// `ostrom export GAME -o game.html` embeds the game here.
const within = document.getElementById("game")?.textContent ?? "null";
mount(Viewer, { target: document.getElementById("app")!, props: { within: within.trim() === "null" ? null : within } });
