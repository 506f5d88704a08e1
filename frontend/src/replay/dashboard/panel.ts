// What all panels over the turns are given.
import type { Folded } from "../fold";
import type { GameRecord } from "../record";
import type { PanelSpec } from "../scene";

export interface PanelProps {
  record: GameRecord;
  fold: Folded;
  spec: PanelSpec;
  /** How many turns the fold holds; the fold itself does not say that it grew. */
  played: number;
  /** The last turn of the time axis. */
  horizon: number;
  /** The turn that is shown. */
  turn: number;
  /** Room at the right for labels. */
  margin: number;
  /** The turn that the pointer is on. */
  looked: number | null;
  onlook: (turn: number | null, value: number) => void;
  ongo: (turn: number) => void;
}
