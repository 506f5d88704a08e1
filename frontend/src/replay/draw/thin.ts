// Thinning of a long series to as many bins as there are columns to draw in, without losing peaks.

/** Return the positions of a series that are drawn: all, or the first, lowest, highest and last one of each bin. */
export function thinOut(length: number, value: (place: number) => number, bins: number): number[] {
  if (length <= bins * 4) return Array.from({ length }, (_, place) => place);
  const result: number[] = [];
  for (let bin = 0; bin < bins; bin++) {
    const first = Math.floor((bin * length) / bins);
    const end = Math.floor(((bin + 1) * length) / bins);
    let low = first;
    let high = first;
    for (let place = first + 1; place < end; place++) {
      if (value(place) < value(low)) low = place;
      if (value(place) > value(high)) high = place;
    }
    const last = end - 1;
    for (const place of [first, Math.min(low, high), Math.max(low, high), last])
      if (place !== result.at(-1)) result.push(place);
  }
  return result;
}
