// Any game in the replay: one moment an event, told in words.
import { asCount } from "../format";
import type { GameView } from "../view";
import Stage from "./Stage.svelte";

export const generic: GameView = {
  title: "A game",
  pace: 2,
  opens: "end",
  check: () => {},
  stops: ({ events }) => Array.from({ length: events.length + 1 }, (_, seen) => seen),
  name: ({ events }, seen) => (seen === 0 ? "Before the first event" : `Event ${asCount(seen)} of ${asCount(events.length)}`),
  Stage,
};
