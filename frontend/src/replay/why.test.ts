import { expect, test } from "vitest";

import { checkRecord } from "./record";
import { decisionsAt, whyOf } from "./why";

const transfer = (source: number | "each", target: number | "table", amount: number | number[], kind = "") => ({ do: "transfer", source, target, amount, kind, ...(kind ? { cost: 2 } : {}) });
const TOLD = [
  { turn: 1, phase: "say", effects: [{ do: "say", seat: 0, text: "I give all." }] },
  { turn: 1, phase: "give", effects: [transfer("each", "table", [10, 1, 10])] },
  { turn: 1, phase: "strike", effects: [transfer(1, 0, 3, "hit")] },
  { turn: 1, phase: "check", effects: [{ do: "mark", kind: "promise broken", tone: "bad", text: [{ seat: 0 }, " promised 10 and gave 5"] }] },
  { turn: 2, phase: "strike", effects: [transfer(0, 1, 6, "hit")] },
];
const record = checkRecord({
  format: "ostrom-game", version: 2, ostrom: "0", package: "", game: "g", title: "G", seed: null, number: 0, source: null, rules: {},
  seats: [0, 1, 2].map((seat) => ({ seat, label: `P${seat + 1}`, player: "<b>x</b>" })),
  answers: [], events: TOLD.map(() => ({ event: "e" })), told: TOLD, seen: [], notes: [], opening: { turn: 0 },
  scene: { title: "G", layout: "table", clock: "round", quantities: { held: { title: "Holds" } }, final: "held", card: { quantity: "held" }, flows: { hit: { title: "Hit", takes: true, drawn: "arrow" } } },
});

test("an arrow is explained by what both had done to each other, what was said and what was promised", () => {
  const [decision, ...others] = decisionsAt(record, 5);
  expect(others).toEqual([]);
  expect(decision).toMatchObject({ seat: 0, target: 1, words: "P1 spends 2 and takes 6 from P2", turn: 2, phase: "strike" });
  const why = whyOf(record, decision!);
  expect(why.said.map(({ words }) => words)).toEqual(["I give all."]);
  expect(why.promised).toHaveLength(1);
  expect(why.before.map(({ words }) => words)).toEqual(["P2 pays 1; the others 10 on average", "P2 spends 2 and takes 3 from P1"]);
});

test("every seat that pays into the middle has a decision, and nothing later is shown", () => {
  const decisions = decisionsAt(record, 2);
  expect(decisions.map(({ words }) => words)).toEqual(["P1 pays 10", "P2 pays 1", "P3 pays 10"]);
  expect(whyOf(record, decisions[0]!)).toMatchObject({ promised: [], before: [] });
});
