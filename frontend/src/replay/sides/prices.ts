// The marks of a price line at one moment: the last quote of each seat, and the trades of the turn so far.
import { seatsAt, turnOf, type Folded } from "../fold";
import type { Scene } from "../scene";

export interface Marks {
  low: number;
  high: number;
  /** `value` is the private value of the seat, where the scene has values and it is known. */
  quotes: { seat: number; price: number; right: boolean; value?: number }[];
  /** The trades of this turn. `now` is true for trades of the current moment. */
  trades: { price: number; now: boolean }[];
  /** The prices of earlier turns. */
  past: number[];
}

/** Return the marks after `seen` events. */
export function marksAt(scene: Scene, fold: Folded, seen: number): Marks {
  const { quotes, trades, right, values } = scene.prices!;
  const turn = turnOf(fold, seen);
  const marks: Marks = { low: 0, high: 1, quotes: [], trades: [], past: [] };
  const known = values === undefined ? [] : seatsAt(fold, values, seen);
  seatsAt(fold, quotes, seen).forEach((price, seat) => {
    if (price !== null) marks.quotes.push({ seat, price, right: right.includes(seat), ...(known[seat] == null ? {} : { value: known[seat] }) });
  });
  const history = fold.histories.get(trades);
  history?.seen.forEach((at, place) => {
    const price = history.values[place];
    if (typeof price !== "number" || at > seen) return;
    if (turnOf(fold, at) === turn) marks.trades.push({ price, now: at === seen });
    else marks.past.push(price);
  });
  const scales = [quotes, trades].map((name) => ({ quantity: scene.quantities![name]!, history: fold.histories.get(name) }));
  const ends = (which: "low" | "high", bounds: (number | undefined)[]): number[] => {
    const declared = scales.flatMap(({ quantity }) => quantity[which] ?? []);
    return declared.length ? declared : bounds.filter((bound) => bound !== undefined && Number.isFinite(bound)) as number[];
  };
  // The scale is the same for all moments, so that marks can be compared.
  marks.low = Math.min(...ends("low", scales.map(({ history: one }) => one?.lowest.at(-1))));
  marks.high = Math.max(...ends("high", scales.map(({ history: one }) => one?.highest.at(-1))));
  if (!Number.isFinite(marks.low)) marks.low = 0;
  if (!Number.isFinite(marks.high)) marks.high = 1;
  return marks;
}

/** Return heights that are at least a gap apart, in the same order and, if they fit, between the ends. */
export function apart(heights: number[], gap: number, top: number, bottom: number): number[] {
  const order = heights.map((_, place) => place).sort((one, two) => heights[one]! - heights[two]!);
  const result = heights.slice();
  let edge = top - gap;
  for (const place of order) result[place] = edge = Math.max(heights[place]!, edge + gap);
  edge = bottom + gap;
  for (const place of order.reverse()) result[place] = edge = Math.min(result[place]!, edge - gap);
  return result;
}
