// A long series drawn with bounded work: no more bins than there are columns to draw in, and none of its peaks lost.

/** The places of a series to draw: all of them, or of each bin its first, lowest, highest and last. */
export function thinned(length: number, value: (place: number) => number, bins: number): number[] {
  if (length <= bins * 4) return Array.from({ length }, (_, place) => place);
  const kept: number[] = [];
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
      if (place !== kept.at(-1)) kept.push(place);
  }
  return kept;
}
