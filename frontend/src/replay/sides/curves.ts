// Supply and demand at one moment: the prices of the units of each side in the order in which they trade.
import { seatsAt, type Folded } from "../fold";
import type { Scene } from "../scene";

export interface Curve {
  /** Bids from the highest, or asks from the lowest. */
  prices: number[];
  supply: boolean;
  /** True for private values, false for quotes. */
  valued: boolean;
}

/** Return the curves of the last quotes after `seen` events, and those of private values if all are known. */
export function curvesAt(scene: Scene, fold: Folded, seen: number): Curve[] {
  const { quotes, right, values } = scene.prices!;
  const known = values === undefined ? [] : seatsAt(fold, values, seen);
  const valued = known.length > 0 && known.every((value) => value != null) ? sidesOf(known, right, true) : [];
  return [...sidesOf(seatsAt(fold, quotes, seen), right, false), ...valued];
}

function sidesOf(prices: readonly (number | null)[], right: readonly number[], valued: boolean): Curve[] {
  return [false, true].map((supply) => {
    const known = prices.filter((price, seat): price is number => price != null && right.includes(seat) === supply);
    return { prices: known.sort((one, two) => (supply ? one - two : two - one)), supply, valued };
  });
}
