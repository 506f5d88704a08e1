// The pages by address. Each is loaded when it is first used.
import type { Component } from "svelte";

import { published } from "../api/client";
import { preloadDrawing } from "../charts/load";

type Load = () => Promise<{ default: Component }>;

const PAGES: Record<string, Load> = {
  "": () => import("../pages/Home.svelte"),
  experiments: () => import("../pages/Experiment.svelte"),
  games: () => import("../pages/Game.svelte"),
  compare: () => {
    const page = import("../pages/Compare.svelte");
    // The drawing code is larger than the page, so it is loaded at the same time.
    preloadDrawing();
    return page;
  },
  method: () => import("../pages/Method.svelte"),
  find: () => import("../pages/Find.svelte"),
  messages: () => import("../pages/Messages.svelte"),
  quotes: () => import("../pages/Quotes.svelte"),
  players: () => import("../pages/Player.svelte"),
  subjects: () => import("../pages/Subject.svelte"),
};
// Games cannot be played on a published site.
if (!published) {
  PAGES.seat = () => import("../pages/Seat.svelte");
  PAGES.sessions = () => import("../pages/Sessions.svelte");
}

/** The pages of people's sessions. Each has a path of its own, so that its link can be read aloud; a secret follows `#`. */
const SESSION_PAGES: Record<string, Load> = {};
if (!published) {
  SESSION_PAGES.host = () => import("../pages/Host.svelte");
}

/** Return the name of the session's page at a path such as `/host` or `/join/CODE`, or null. */
export function sessionPage(path: string): string | null {
  const name = path.split("/")[1] ?? "";
  return Object.hasOwn(SESSION_PAGES, name) ? name : null;
}

/** Load a session's page. */
export const loadSessionPage = (name: string): Promise<Component> => SESSION_PAGES[name]!().then((file) => file.default);

/** The pages that list all entries of a kind, for addresses without an id. */
const LISTS: Record<string, string> = { experiments: "", subjects: "compare" };

/** Return the page of an address, or null. */
export function pageOf(parts: readonly string[]): Promise<Component> | null {
  const list = parts[1] ? undefined : LISTS[parts[0] ?? ""];
  const first = list ?? parts[0] ?? "";
  if (first === "players" && !parts[1]) return import("../pages/Players.svelte").then((file) => file.default);
  // Without an id, the page lists all games.
  if (first === "games" && !parts[1]) return import("../pages/Games.svelte").then((file) => file.default);
  const load = PAGES[first];
  return load && Object.hasOwn(PAGES, first) ? load().then((file) => file.default) : null;
}
