// The properties of every layout.
import type { Snippet } from "svelte";

import type { GameRecord } from "./record";

export interface LayoutProps {
  record: GameRecord;
  /** The number of events at the current moment. It is always one of the stops. */
  seen: number;
  /** True if the replay is playing, so that changes may be animated. */
  moving: boolean;
  /** Go to a moment: the first stop at or after this number of events. */
  go: (seen: number) => void;
  /** The game in words. It is placed next to the drawing. */
  transcript: Snippet;
}
