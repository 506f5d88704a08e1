// The axis of a panel. It covers the values so far, and grows by steps, so that the panel need not be redrawn at most
// turns.
import { spanIn, type Folded } from "../fold";
import type { Quantity } from "../scene";

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Return the smallest of the steps, at any power of ten, that is at least `value`. */
function stepUp(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((power * (STEPS.find((step) => step * power >= value * (1 - 1e-12)) ?? 10)).toPrecision(12));
}

/** Return both ends of a quantity's axis up to a turn. They are those that the scene declares or, if it declares none,
 * ends between which all values so far lie. */
export function endsIn(fold: Folded, name: string, quantity: Quantity, turn: number): [number, number] {
  const [least, most] = spanIn(fold, name, turn) ?? [0, 0];
  const low = quantity.low ?? (least < 0 ? -stepUp(-least) : 0);
  const high = quantity.high ?? stepUp(most);
  return [low, high > low ? high : low + 1];
}
