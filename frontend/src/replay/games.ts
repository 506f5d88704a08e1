// Which view replays which game.
import { commons } from "./commons/view";
import { playedView } from "./generic/played";
import { generic } from "./generic/view";
import { punish } from "./punish/view";
import type { GameRecord } from "./record";
import { stated } from "./stated/view";
import type { GameView } from "./view";

export type { GameView, Mark, StageProps } from "./view";

const VIEWS: Record<string, GameView> = { commons, contribute_punish: punish };

/** The view of a game by its name in records; a game without one of its own is told in words. */
export function viewOf(game: string): GameView {
  if (Object.hasOwn(VIEWS, game)) return VIEWS[game]!;
  return game.startsWith("stated_") ? stated : (playedView(game) ?? generic);
}

/** The moment at which a finished game opens: its beginning, ready to be played, or its end where there is more to read
 *  than to watch. */
export function openingMoment(record: GameRecord): number {
  return viewOf(record.game).opens === "end" ? record.events.length : 0;
}
