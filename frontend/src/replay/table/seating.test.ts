import { expect, test } from "vitest";

import { apart, around, boxAt, fits, free, labelled } from "./seating";

const card = { width: 152, height: 96 };

test("cards that fit leave their neighbours and the middle alone", () => {
  for (const width of [560, 620, 700, 880]) {
    const table = { width, height: 440 };
    if (!fits(5, table, card, 1)) continue;
    const places = around(5, table, card);
    const middle = { x: width / 2, y: 220 };
    const left = boxAt(middle, free(places, middle, card, table, 384));
    for (const place of places) expect(apart(boxAt(place, card), left)).toBe(true);
  }
  expect(fits(5, { width: 880, height: 480 }, card, 1)).toBe(true);
  expect(fits(5, { width: 300, height: 300 }, card, 1)).toBe(false);
  expect(fits(12, { width: 600, height: 340 }, card, 1)).toBe(false);
});

test("labels step aside, and one without room is left out", () => {
  const size = { width: 30, height: 20 };
  const line = (y: number) => ({ at: (part: number) => ({ x: 200 * part, y }), size });
  const [first, second] = labelled([line(0), line(5)], []);
  expect(first).toEqual({ x: 100, y: 0 });
  expect(apart(boxAt(first!, size), boxAt(second!, size))).toBe(true);
  expect(labelled([line(0)], [{ left: -100, top: -100, right: 400, bottom: 100 }])).toEqual([null]);
});
