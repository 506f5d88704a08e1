import { expect, test } from "vitest";

import type { GameKind } from "../../api/types";
import { changedRules, ruleFields } from "./rules";
import { HUMAN, usualTable, withPerson } from "./tables";

const PUNISH: GameKind = {
  command: "punish", name: "contribute_punish", title: "Contribute & Punish", summary: "", fewest_seats: 2, most_seats: 100, usual_seats: 5,
  players: ["A", "B", "C"],
  rules: { properties: { rounds: { type: "integer", default: 10, minimum: 1, maximum: 1000 }, messages: { type: "boolean", default: true } } },
};
const OTHER: GameKind = {
  ...PUNISH, command: "other", fewest_seats: 1, most_seats: 1, usual_seats: null, players: [],
  rules: { properties: { last_turn: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null }, note: { type: "string", default: "" } } },
};

test("rules come from the schema, with their bounds and defaults", () => {
  expect(ruleFields(PUNISH).map(({ name, kind, usual }) => [name, kind, usual])).toEqual([["rounds", "whole", 10], ["messages", "switch", true]]);
  expect(ruleFields(OTHER)).toEqual([{ name: "last_turn", label: "Last turn", hint: undefined, kind: "whole", usual: null, lowest: 1, highest: undefined }]);
});

test("only what is set otherwise than usual is sent", () => {
  expect(changedRules(ruleFields(PUNISH), { rounds: 10, messages: false })).toEqual({ messages: false });
  expect(changedRules(ruleFields(OTHER), { last_turn: null })).toEqual({});
});

test("a table seats as many as usual, within what the game allows", () => {
  expect(usualTable(PUNISH)).toEqual(["A", "B", "C", "A", "B"]);
  expect(usualTable(OTHER)).toEqual([HUMAN]);
});

test("a person takes the first seat, and leaves it to a built-in player again", () => {
  expect(withPerson(PUNISH, ["B", "B"], true)).toEqual([HUMAN, "B"]);
  expect(withPerson(PUNISH, ["B", HUMAN], true)).toEqual(["B", HUMAN]);
  expect(withPerson(PUNISH, [HUMAN, "B"], false)).toEqual(["A", "B"]);
});
