// A quantity of the seats as the pixels of an image, with one row for each seat and one column for each turn, or for
// several turns in a long game.
import { valueIn, type Folded } from "../fold";

export interface Heat {
  columns: number;
  /** The mean value by seat and column, from 0 to 1; negative if the seat had no value. */
  values: Float32Array;
}

/** Return the values of all turns so far, in at most `most` columns. */
export function heatOf(fold: Folded, name: string, turns: number, low: number, high: number, most: number): Heat {
  const { seats } = fold;
  const columns = Math.min(turns, Math.max(1, Math.floor(most)));
  const values = new Float32Array(seats * columns).fill(-1);
  for (let column = 0; column < columns; column++) {
    const first = Math.floor((column * turns) / columns);
    const end = Math.floor(((column + 1) * turns) / columns);
    const rows = Array.from({ length: end - first }, (_, place) => valueIn(fold, name, first + place + 1));
    for (let seat = 0; seat < seats; seat++) {
      let sum = 0;
      let present = 0;
      for (const row of rows) {
        const value = Array.isArray(row) ? row[seat] : null;
        if (value === null || value === undefined) continue;
        sum += value;
        present += 1;
      }
      if (present > 0) values[seat * columns + column] = Math.min(Math.max((sum / present - low) / (high - low), 0), 1);
    }
  }
  return { columns, values };
}

/** Return the image of a heatmap. The colour is between `none` for the lowest value and `all` for the highest; it is
 * transparent if a seat is out. */
export function pixels(heat: Heat, none: [number, number, number], all: [number, number, number]): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(heat.values.length * 4);
  heat.values.forEach((value, place) => {
    if (value < 0) return;
    for (let channel = 0; channel < 3; channel++) image[place * 4 + channel] = none[channel]! + (all[channel]! - none[channel]!) * value;
    image[place * 4 + 3] = 255;
  });
  return image;
}
