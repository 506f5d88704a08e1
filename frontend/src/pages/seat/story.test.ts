import { expect, test } from "vitest";

import { toldIn } from "./story";

test("lines of a terminal become titles with what belongs to them", () => {
  expect(
    toldIn(["  P1: “One long message that", "    goes on.”", "  P2: (says nothing)", "round 10: contributions", "  P1     13 of 13", "  fund: 86 grows to 137", "the end: P4 wins with 43"]),
  ).toEqual([
    { title: "", lines: ["P1: “One long message that goes on.”", "P2: (says nothing)"] },
    { title: "Round 10: contributions", lines: ["P1: 13 of 13", "Fund: 86 grows to 137"] },
    { title: "The end: P4 wins with 43", lines: [] },
  ]);
});

test("columns become clauses", () => {
  expect(toldIn(["turn 12: pot 300.00", "  P1  gave 1.00  gain    270.00  capital   2,564.62  lobby +3.00", "  P4  is out                     capital     327.76"])[0]!.lines).toEqual([
    "P1: gave 1.00, gain 270.00, capital 2,564.62, lobby +3.00",
    "P4: is out, capital 327.76",
  ]);
});
