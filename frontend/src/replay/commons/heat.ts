// Contributions as the pixels of an image: a row a seat, a column a turn or, in a long game, several turns.
import type { Fold } from "./fold";

export interface Heat {
  columns: number;
  /** Mean contribution by seat and column; negative where the seat was out all along. */
  values: Float32Array;
}

/** The contributions of all turns so far, in at most `most` columns. */
export function heatOf(fold: Fold, most: number): Heat {
  const { turns, seats } = fold;
  const columns = Math.min(turns.length, Math.max(1, Math.floor(most)));
  const values = new Float32Array(seats * columns).fill(-1);
  for (let column = 0; column < columns; column++) {
    const first = Math.floor((column * turns.length) / columns);
    const end = Math.floor(((column + 1) * turns.length) / columns);
    for (let seat = 0; seat < seats; seat++) {
      let sum = 0;
      let present = 0;
      for (let place = first; place < end; place++) {
        const turn = turns[place]!;
        if (!turn.present[seat]) continue;
        sum += turn.contributions[seat]!;
        present += 1;
      }
      if (present > 0) values[seat * columns + column] = sum / present;
    }
  }
  return { columns, values };
}

/** The image of a heat: from `none` for a contribution of 0 to `all` for 1, and nothing where a seat is out. */
export function pixels(heat: Heat, none: [number, number, number], all: [number, number, number]): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(heat.values.length * 4);
  heat.values.forEach((value, place) => {
    if (value < 0) return;
    for (let channel = 0; channel < 3; channel++) image[place * 4 + channel] = none[channel]! + (all[channel]! - none[channel]!) * value;
    image[place * 4 + 3] = 255;
  });
  return image;
}
