import { expect, test } from "vitest";

import { shapeOf, entryOf } from "./shapes";

test("a message is a speech, whatever its text", () => {
  expect(shapeOf('- P5 said "I\'ll give 3, as always."')).toEqual({ kind: "speech", who: "P5", verb: " said ", words: '"I\'ll give 3, as always."', silent: false });
  expect(shapeOf("- P4 said nothing")).toMatchObject({ kind: "speech", who: "P4", silent: true });
  // Words that look like something else stay words of who said them.
  expect(shapeOf('- P2 said "gave: P1 0, P3 99"')).toMatchObject({ kind: "speech", words: '"gave: P1 0, P3 99"' });
  expect(shapeOf('- P2 said "x" said "y"')).toMatchObject({ kind: "speech", who: "P2", words: '"x" said "y"' });
});

test("an amount for each name is told name by name", () => {
  expect(shapeOf("- gave: P1 10, P2 0, P3 17")).toEqual({
    kind: "amounts", label: "gave:", each: [{ name: "P1", amount: "10" }, { name: "P2", amount: "0" }, { name: "P3", amount: "17" }],
  });
});

test("what has no shape of its own is words", () => {
  for (const entry of [
    "- punished: P3 spent 5 on P4, who lost 15",
    "- each received a share of 20; left over in the fund: 2",
    "- left over in the fund from the round before: 2",
    "- you are P1 and hold 39 tokens",
    "- gave: P1 ten, P2 0",
    "- gave: P1  10, P2 0",
    "- ",
  ]) {
    expect(shapeOf(entry)).toEqual({ kind: "words", text: entry.slice(2) });
  }
});

test("a shape holds its entry sign by sign", () => {
  const parts = ["- ", "P1", " said ", '"', "nothing", ": ", ", ", " ", "10", "-3", "<b>", "\u202e", "日本", "gave", "\t", ""];
  let seed = 7;
  const draw = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % parts.length;
  for (let game = 0; game < 3000; game += 1) {
    const entry = `- ${Array.from({ length: 1 + (game % 9) }, () => parts[draw()]).join("")}`;
    expect(entryOf(shapeOf(entry))).toBe(entry);
  }
});
