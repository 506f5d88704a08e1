// Scales and ticks of the drawings.

const STEPS = [1, 2, 5, 10];

/** Return the smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  // The tolerance allows for rounding errors: 0.3 / 0.1 is slightly more than 3.
  return power * (STEPS.find((step) => step * power >= value * (1 - 1e-12)) ?? 10);
}

/** Return round values from `low` to `high`. There are about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
  if (!(high > low)) return [low];
  const step = roundUp((high - low) / Math.max(wanted, 1));
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) values.push(Number((k * step).toPrecision(12)));
  return values;
}

/** Return the turns that have a tick. They are round numbers, and not more than there is space for. */
export function turnTicks(last: number, width: number): number[] {
  return ticks(0, last, Math.max(2, Math.floor(width / 90))).filter((turn) => Number.isInteger(turn));
}

/** Return the end of the time axis. For a finished game, it is the last turn; for an unfinished one, it grows in steps. */
export function horizon(played: number, ended: boolean, known: number | null): number {
  if (ended) return Math.max(played, 1);
  if (known !== null && known >= played) return known;
  return Math.max(10, roundUp(played));
}
