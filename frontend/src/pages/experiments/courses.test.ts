import { expect, test } from "vitest";

import { pathOf, courseText, winnersOf } from "./courses";

test("a course is drawn in steps, from all at the top to nothing at the bottom", () => {
  expect(pathOf([1, 0.5, 0], 120, 20)).toBe("M0 0.0H40.0V10.0H80.0V20.0H120.0");
});

test("what is beyond all stays on the picture", () => {
  expect(pathOf([1.5, -1], 10, 10)).toBe("M0 0.0H5.0V10.0H10.0");
});

test("a course in words names its ends, its mean and who won", () => {
  const course = { cooperation: [1, 0.5, 0], finals: [3, 9, 9], winners: [1, 2] };
  expect(courseText(course, ["a", "b", "c"])).toBe("Cooperation: 100 % at first, 0 % at last, 50 % on average; won by b and c");
  expect(courseText({ cooperation: [], finals: [], winners: [] }, [])).toBe("");
});

test("one name that wins at two seats is told once, and a game that goes on has no winner", () => {
  expect(winnersOf({ winners: [0, 1] }, ["a", "a"])).toBe("a");
  expect(winnersOf({ winners: [] }, ["a"])).toBe("");
});

test("of many winners the first are named and the others counted", () => {
  expect(winnersOf({ winners: [0, 1, 2] }, ["a", "b", "c"])).toBe("a, b and c");
  expect(winnersOf({ winners: [0, 1, 2, 3] }, ["a", "b", "c", "d"])).toBe("a, b and 2 more");
});
