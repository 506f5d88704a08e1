// Seats have the colours of their players, which can be read on light and on dark paper and differ from one another.
import { expect, test } from "vitest";

import { contrast, seatColours, adjustColour } from "./colours";

const PAPERS = [["#fff", "#1b1f23"], ["#1a1d21", "#eceae4"]] as const;
const FAMILIES = ["#d55e00", "#009e73", "#0072b2", "#c977a5", "#c58a00", "#3f9cd3", "#8d8a00", "#6d6a75", "#8a4ae8", "#816131", "#e83e5f", "#7d7df2"];

test.each(PAPERS)("every colour can be read on %s", (paper, ink) => {
  for (const colour of FAMILIES) expect(contrast(adjustColour(colour, paper, ink), paper)).toBeGreaterThanOrEqual(4.5);
});

test("seats of one family differ in lightness, and what a record does not say is left to the page", () => {
  const seats = ["#009e73", "#009e73", undefined].map((colour, seat) => ({ seat, label: `P${seat + 1}`, player: "x", colour }));
  const [first, second, third] = seatColours(seats, ...PAPERS[0]);
  expect(first).not.toBe(second);
  expect(third).toBe("");
  expect(seatColours(seats, "white", "black")).toEqual([]);
});
