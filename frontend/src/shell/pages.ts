// Which page an address opens. Each is loaded when it is first needed, so that charts cost only those who look at them.
import type { Component } from "svelte";

import { published } from "../api/client";
import { ahead } from "../charts/load";

type Load = () => Promise<{ default: Component }>;

const PAGES: Record<string, Load> = {
  "": () => import("../pages/Home.svelte"),
  experiments: () => import("../pages/Experiment.svelte"),
  games: () => import("../pages/Game.svelte"),
  compare: () => {
    const page = import("../pages/Compare.svelte");
    // What draws charts is larger than the page: it comes at once, and not when the page has asked what to draw.
    ahead();
    return page;
  },
  method: () => import("../pages/Method.svelte"),
  messages: () => import("../pages/Messages.svelte"),
  quotes: () => import("../pages/Quotes.svelte"),
  players: () => import("../pages/Player.svelte"),
  subjects: () => import("../pages/Subject.svelte"),
};
// Nothing is played in a published site.
if (!published) PAGES.seat = () => import("../pages/Seat.svelte");

/** The page for an address; null where there is none. */
export function pageOf(parts: readonly string[]): Promise<Component> | null {
  // Who opens a published site comes for its results; the experiments have an address of their own everywhere.
  const first = published && !parts[0] ? "compare" : parts[0] === "experiments" && !parts[1] ? "" : (parts[0] ?? "");
  // Without a name, all games.
  if (first === "games" && !parts[1]) return import("../pages/Games.svelte").then((file) => file.default);
  const load = PAGES[first];
  return load && Object.hasOwn(PAGES, first) ? load().then((file) => file.default) : null;
}
