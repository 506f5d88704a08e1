import { expect, test } from "vitest";

import { holds, pieces, termsOf } from "./words";

const SAID = "I'll contribute $3, as we all promised.";

test("words are found in any order and by their stems", () => {
  expect(holds(SAID, termsOf("promises contributing"))).toBe(true);
  expect(holds(SAID, termsOf("contribute nothing"))).toBe(false);
  expect(holds(SAID, termsOf(""))).toBe(true);
});
test("a phrase stands as it was said", () => {
  expect(holds(SAID, termsOf('"contribute 3"'))).toBe(true);
  expect(holds(SAID, termsOf('"3 contribute"'))).toBe(false);
});
test("finds are every second piece, and nothing is lost", () => {
  const made = pieces(SAID, termsOf("3 contributing"));
  expect(made.filter((_, place) => place % 2)).toEqual(["contribute", "3"]);
  expect(made.join("")).toBe(SAID);
});
