// The properties of all panels over the turns.
import type { Folded } from "../fold";
import type { GameRecord } from "../record";
import type { PanelSpec } from "../scene";

export interface PanelProps {
  record: GameRecord;
  fold: Folded;
  spec: PanelSpec;
  /** The number of turns in the fold, as the fold itself grows in place. */
  played: number;
  /** The last turn of the time axis. */
  horizon: number;
  /** The current turn. */
  turn: number;
  /** Space at the right for labels. */
  margin: number;
  /** The turn under the pointer. */
  looked: number | null;
  onlook: (turn: number | null, value: number) => void;
  ongo: (turn: number) => void;
}
