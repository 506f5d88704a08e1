// A played game of the battery in the replay: one moment an event, drawn and told.
import { momentName } from "../forms/names";
import { playedTitle } from "../forms/played";
import type { GameView } from "../view";
import { generic } from "./view";

/** The view of a played game of the battery; null for any other game. */
export function playedView(game: string): GameView | null {
  const title = playedTitle(game);
  return title === null ? null : { ...generic, title, name: (record, seen) => momentName(record, seen) ?? generic.name(record, seen) };
}
