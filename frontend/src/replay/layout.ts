// What every layout is given.
import type { Snippet } from "svelte";

import type { GameRecord } from "./record";

export interface LayoutProps {
  record: GameRecord;
  /** How many events have been seen; always one of the stops. */
  seen: number;
  /** Whether the replay is playing, so that changes may be animated. */
  moving: boolean;
  /** Go to a moment: the first stop at or after so many events. */
  go: (seen: number) => void;
  /** The whole game in words, to stand beside what is drawn. */
  transcript: Snippet;
}
