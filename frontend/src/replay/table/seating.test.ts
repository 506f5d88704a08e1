import { expect, test } from "vitest";

import { along, apart, arc, around, boxAt, fits, freeArea, placeLabels } from "./seating";

const card = { width: 152, height: 96 };

test("cards that fit leave their neighbours and the middle alone", () => {
  for (const width of [560, 620, 700, 880]) {
    const table = { width, height: 440 };
    if (!fits(5, table, card, 1)) continue;
    const places = around(5, table, card);
    const middle = { x: width / 2, y: 220 };
    const left = boxAt(middle, freeArea(places, middle, card, table, 384));
    for (const place of places) expect(apart(boxAt(place, card), left)).toBe(true);
  }
  expect(fits(5, { width: 880, height: 480 }, card, 1)).toBe(true);
  expect(fits(5, { width: 300, height: 300 }, card, 1)).toBe(false);
  expect(fits(12, { width: 600, height: 340 }, card, 1)).toBe(false);
});

test("two seats leave the whole height of the table to the middle", () => {
  const table = { width: 620, height: 260 };
  const wide = { width: 208, height: 116 };
  const places = around(2, table, wide);
  expect(places).toEqual([{ x: 104, y: 130 }, { x: 516, y: 130 }]);
  expect(freeArea(places, { x: 310, y: 130 }, wide, table, 384)).toEqual({ width: 188, height: 260 });
  expect(fits(2, { width: 560, height: 400 }, wide, 1)).toBe(false);
  expect(fits(2, { width: 620, height: 260 }, wide, 1)).toBe(true);
});

test("labels step aside, and one without room is left out", () => {
  const size = { width: 30, height: 20 };
  const line = (y: number) => ({ at: (part: number) => ({ x: 200 * part, y }), size });
  const [first, second] = placeLabels([line(0), line(5)], []);
  expect(first).toEqual({ x: 100, y: 0 });
  expect(apart(boxAt(first!, size), boxAt(second!, size))).toBe(true);
  expect(placeLabels([line(0)], [{ left: -100, top: -100, right: 400, bottom: 100 }])).toEqual([null]);
});

test("lines lead past other cards and past the middle", () => {
  for (const [seats, width, height] of [[5, 880, 480], [5, 620, 440], [9, 880, 560], [12, 880, 640]] as const) {
    const table = { width, height };
    const size = seats > 10 ? { width: 112, height: 92 } : seats > 6 ? { width: 132, height: 92 } : card;
    const places = around(seats, table, size);
    const middle = { x: width / 2, y: height / 2 };
    const taken = [...places.map((place) => boxAt(place, size)), boxAt(middle, { width: 90, height: 60 })];
    for (const from of places)
      for (const to of places) {
        if (from === to) continue;
        const line = arc(from, to, middle, size, taken);
        for (let step = 0; step <= 100; step++) {
          const { x, y } = along(line, step / 100);
          expect(taken.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom), `${seats} seats: ${places.indexOf(from)} to ${places.indexOf(to)}`).toBe(false);
        }
      }
  }
});
