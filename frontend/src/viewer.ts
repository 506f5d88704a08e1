// The viewer: one file that replays any game's record, with no server and no network.
import { mount } from "svelte";

import "./app.css";
import Viewer from "./viewer/Viewer.svelte";

// `ostrom export GAME -o game.html` puts the game in here.
const within = document.getElementById("game")?.textContent ?? "null";
mount(Viewer, { target: document.getElementById("app")!, props: { within: within.trim() === "null" ? null : within } });
