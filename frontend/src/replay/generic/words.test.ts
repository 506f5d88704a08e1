import { describe, expect, it } from "vitest";

import type { GameEvent, GameRecord } from "../record";
import { tellEvent, valued } from "./words";

const record = {
  game: "ultimatum", seats: [{ seat: 0, label: "P1", player: "A" }, { seat: 1, label: "P2", player: "B" }], answers: [], events: [], rules: {},
} as unknown as GameRecord;

describe("an event in words", () => {
  it.each<[GameEvent, string]>([
    [{ event: "offered", pot: 100, offer: 20 }, "P1 A offers P2 B 20 of 100."],
    [{ event: "responded", accepted: false }, "P2 B rejects."],
    [{ event: "moved", node: 3, seat: 1, move: "take" }, "Node 3: P2 B takes."],
    [{ event: "claimed", claims: [2, 100], bonus: 2 }, "P1 A claims 2; P2 B claims 100."],
    [{ event: "game_ended", payoffs: [1, 2], winners: [1] }, "The game ends; P2 B gets most."],
    [{ event: "game_ended", payoffs: [1, 1], winners: [0, 1] }, "The game ends; all get the same."],
    [{ event: "something_new", version: 1, seat: 1, deep: { a: [1, null] } }, "Something new: seat 1, deep a (1, nothing)."],
  ])("%j", (event, words) => expect(tellEvent(record, event)).toBe(words));

  it("falls back to the fields where they are not what the sentence needs", () => {
    expect(tellEvent(record, { event: "offered", pot: "<script>", offer: 20 })).toBe("Offered: pot <script>, offer 20.");
    expect(tellEvent(record, { event: "claimed", claims: [1] })).toBe("Claimed: claims (1).");
    expect(tellEvent(record, { event: "toString" })).toBe("ToString.");
  });
  it("cuts what is longer than a paragraph", () => expect(valued("x".repeat(100_000))).toHaveLength(2001));
});
