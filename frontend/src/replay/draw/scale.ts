// Scales and ticks of the drawings.

const STEPS = [1, 2, 5, 10];

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  // Rounding error: 0.3 / 0.1 is a hair above 3.
  return power * (STEPS.find((step) => step * power >= value * (1 - 1e-12)) ?? 10);
}

/** Round values from `low` to `high`, about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
  if (!(high > low)) return [low];
  const step = roundUp((high - low) / Math.max(wanted, 1));
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) values.push(Number((k * step).toPrecision(12)));
  return values;
}

/** The turns with a tick: round numbers, no more than fit. */
export function turnTicks(last: number, width: number): number[] {
  return ticks(0, last, Math.max(2, Math.floor(width / 90))).filter((turn) => Number.isInteger(turn));
}

/** The end of the time axis: that of a finished game, or in steps for an unfinished one. */
export function horizon(played: number, ended: boolean, known: number | null): number {
  if (ended) return Math.max(played, 1);
  if (known !== null && known >= played) return known;
  return Math.max(10, roundUp(played));
}
