// A common axis for small graphics in the rows of a table. Positions are in per cent of the width, and ticks are at
// round values.
export interface Axis {
  ticks: number[];
  /** The position of a value in per cent. */
  at(value: number): number;
}

/** Return an axis that includes all these values and has about `wanted` ticks. */
export function axis(values: readonly number[], wanted = 5): Axis {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const margin = (high - low || 1) * 0.04;
  const [first, last] = [low - margin, high + margin];
  const step = roundStep((last - first) / wanted);
  const ticks: number[] = [];
  for (let index = Math.ceil(first / step); index * step <= last; index += 1) ticks.push(Number((index * step).toPrecision(12)));
  return { ticks, at: (value) => ((value - first) / (last - first)) * 100 };
}

/** Return the round step whose ratio to the wanted one is closest to 1. */
function roundStep(wanted: number): number {
  const size = 10 ** Math.floor(Math.log10(wanted));
  const part = wanted / size;
  return size * (part < Math.SQRT2 ? 1 : part < Math.sqrt(10) ? 2 : part < Math.sqrt(50) ? 5 : 10);
}
