// Which page an address opens. Each is loaded when it is first needed, so that charts cost only those who look at them.
import type { Component } from "svelte";

type Load = () => Promise<{ default: Component }>;

const PAGES: Record<string, Load> = {
  "": () => import("../pages/Home.svelte"),
  experiments: () => import("../pages/Experiment.svelte"),
  games: () => import("../pages/Game.svelte"),
  compare: () => import("../pages/Compare.svelte"),
  messages: () => import("../pages/Messages.svelte"),
  players: () => import("../pages/Player.svelte"),
  subjects: () => import("../pages/Subject.svelte"),
  seat: () => import("../pages/Seat.svelte"),
};

/** The page for an address; null where there is none. */
export function pageOf(parts: readonly string[]): Promise<Component> | null {
  const load = PAGES[parts[0] ?? ""];
  return load && Object.hasOwn(PAGES, parts[0] ?? "") ? load().then((file) => file.default) : null;
}
