import { describe, expect, it } from "vitest";

import type { GameRecord } from "../record";
import type { Item } from "../stated/items";
import { itemPicture } from "./asked";

const record = { seats: [{ seat: 0, label: "P1", player: "somebody" }] } as unknown as GameRecord;
const asked = (task: string, role: string, facts: Record<string, unknown>, answer: Item["answer"], options: string[] = []): Item =>
  ({ event: "item_answered", number: 1, task, role, condition: "", repetition: 1, purpose: "score", step: 0, facts, options, labels: ["A", "B"], answer, fault: null }) as Item;

describe("the picture of an item", () => {
  it("has the subject in its role, and the other one without a name", () => {
    const offered = itemPicture(record, asked("ultimatum", "proposer", { pot: 10 }, 4));
    expect(offered).toMatchObject({ form: "split", offer: 4, accepted: null, parties: [{ label: "P1", role: "proposer" }, { label: "the other" }] });
    const answered = itemPicture(record, asked("ultimatum", "responder", { pot: 10, offer: 1 }, "reject", ["accept", "reject"]));
    expect(answered).toMatchObject({ offer: 1, accepted: false, parties: [{ label: "the other" }, { label: "P1", role: "responder" }] });
  });
  it("shows money that is sent as grown, and what a returner got", () => {
    expect(itemPicture(record, asked("trust", "sender", { endowment: 10, multiplier: 3 }, 5))).toMatchObject({ form: "flow", sent: 5, received: 15, returned: null });
    expect(itemPicture(record, asked("trust", "returner", { endowment: 10, multiplier: 3, sent: 6, received: 18 }, 7))).toMatchObject({ sent: 6, received: 18, returned: 7 });
  });
  it("takes all nodes before the one that is asked for passed", () => {
    const facts = { node: 3, payoffs: [[1, 0], [2, 1], [4, 2]], end: [8, 4], scale: 1 };
    expect(itemPicture(record, asked("centipede", "mover", facts, "take"))).toMatchObject({ form: "tree", moves: ["pass", "pass", "take"], asked: 3, nodes: [[1, 0], [1, 2], [4, 2]] });
    expect(itemPicture(record, asked("centipede", "mover", { ...facts, node: 4 }, "take"))).toBeNull();
  });
  it("marks the row or the column that a subject chose", () => {
    expect(itemPicture(record, asked("stag_hunt", "chooser", { stag: 10, hare: 5 }, "hare"))).toMatchObject({ row: 1, column: null });
    expect(itemPicture(record, asked("matching_pennies", "chooser", { role: "mismatcher", prize: 1 }, "heads"))).toMatchObject({ row: null, column: 0 });
  });
  it("keeps the options with their letters", () => {
    const facts = { sooner: 5, sooner_days: 0, later: 10, later_days: 30 };
    const picture = itemPicture(record, asked("time", "chooser", facts, "later", ["later", "sooner"]));
    expect(picture).toMatchObject({ form: "dates", laterDays: 30, choice: { options: ["later", "sooner"], labels: ["A", "B"], answer: "later" } });
  });
  it.each([
    asked("time", "chooser", { sooner: 5 }, "later"),
    asked("risk", "chooser", { reference: [0.5, 0.5], other: [1], outcomes: [0, 1] }, "other"),
    asked("risk", "chooser", { reference: [7, 0.5], other: [1, 0], outcomes: [0, 1] }, "other"),
    asked("garp", "allocator", { income: 100, prices: [0, 1] }, 3),
    asked("__proto__", "chooser", {}, null),
  ])("is left out where its facts do not fit (%#)", (item) => expect(itemPicture(record, item)).toBeNull());
  it("is drawn without an answer", () => {
    expect(itemPicture(record, asked("dictator", "giver", { pot: 10 }, null))).toMatchObject({ offer: null });
    expect(itemPicture(record, asked("beauty_contest", "guesser", { low: 0, high: 100, p: 0.5, prize: 1 }, null))).toMatchObject({ guesses: null });
  });
});
