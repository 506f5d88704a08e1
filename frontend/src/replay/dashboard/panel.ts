// The properties of all panels over the turns.
import type { Folded } from "../fold";
import type { GameRecord } from "../record";
import type { PanelSpec } from "../scene";

export interface PanelProps {
  record: GameRecord;
  fold: Folded;
  spec: PanelSpec;
  /** The number of turns that have been folded. It is passed separately, because the fold itself grows in place. */
  played: number;
  /** The last turn of the time axis. */
  horizon: number;
  /** The current turn. */
  turn: number;
  /** The space for labels at the right. */
  margin: number;
  /** The turn under the pointer. */
  looked: number | null;
  onlook: (turn: number | null, value: number) => void;
  ongo: (turn: number) => void;
}
