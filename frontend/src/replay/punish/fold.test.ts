import { expect, test } from "vitest";

import { extended, type GameEvent, type GameRecord } from "../record";
import { check } from "./check";
import { fold, ranks, standing, totalsAt } from "./fold";
import { around } from "./seating";
import { cut, labelOf, name } from "./words";

const EVENTS: GameEvent[] = [
  { event: "message_said", round: 1, seat: 2, text: "all in" },
  { event: "message_said", round: 1, seat: 0, text: "" },
  { event: "contributed", round: 1, start: [20, 20, 20], contributions: [20, 0, 10] },
  { event: "fund_shared", round: 1, carry_in: 0, pot: 30, grown: 48, share: 16, carry_out: 0, balances: [16, 36, 26] },
  { event: "punished", round: 1, punisher: 0, target: 1, asked: 4, spend: 4, damage: 12 },
  { event: "punished", round: 1, punisher: 1, target: 0, asked: 1, spend: 1, damage: 3 },
  { event: "round_ended", round: 1, balances: [9, 23, 26], carry: 0 },
  { event: "game_ended", round: 1, balances: [9, 23, 26], winners: [2] },
];

function game(events: GameEvent[] = EVENTS): GameRecord {
  const seats = ["P1", "P2", "P3"].map((label, seat) => ({ seat, label, player: label }));
  return {
    format: "ostrom-game", version: 1, ostrom: "0", game: "contribute_punish", seed: 1, number: 0, source: null,
    rules: { start: 20, rounds: 1, multiplier: 1.6 }, seats, answers: [], events: [...events],
  };
}

test("every event is a moment, with balances as they are then", () => {
  const { moments } = fold(game());
  expect(moments.map((moment) => moment.balances)).toEqual([
    [20, 20, 20], [20, 20, 20], [20, 20, 20], [0, 20, 10], [16, 36, 26], [12, 24, 26], [9, 23, 26], [9, 23, 26], [9, 23, 26],
  ]);
  expect(moments.map((moment) => moment.fund)).toEqual([0, 0, 0, 30, 0, 0, 0, 0, 0]);
  expect(moments[5]!.changes).toEqual([-4, -12, 0]);
});

test("totals count what has been seen of a round", () => {
  expect(totalsAt(fold(game()), 4)).toEqual({ given: [20, 0, 10], spent: [0, 0, 0], lost: [0, 0, 0] });
  expect(totalsAt(fold(game()), 8)).toEqual({ given: [20, 0, 10], spent: [4, 1, 0], lost: [3, 12, 0] });
});

test("a record that grows is folded on, and ends as if it had been whole", () => {
  let growing = game([]);
  const folded = fold(growing);
  for (const event of EVENTS) {
    growing = extended(growing, [event]);
    check(growing);
    expect(fold(growing)).toBe(folded);
  }
  expect(folded).toEqual(fold(game()));
});

test("a moment is told in words", () => {
  const told = EVENTS.map((_, place) => name(game(), place + 1));
  expect([name(game(), 0), ...told]).toEqual([
    "Before the first round", "Round 1, P3 speaks", "Round 1, P1 keeps silent", "Round 1, all contribute",
    "Round 1, the fund is shared out", "Round 1, P1 punishes P2", "Round 1, P2 punishes P1", "Round 1 is over", "The game is over",
  ]);
});

test("events that the stage cannot draw are named", () => {
  for (const wrong of [{ seat: 3 }, { seat: -1 }, { text: 5 }, { round: "1" }])
    expect(() => check(game([{ ...EVENTS[0]!, ...wrong }]))).toThrow(`"message_said", has no usable "${Object.keys(wrong)[0]}"`);
  expect(() => check(game([EVENTS[0]!, { ...EVENTS[2]!, contributions: [1, 2] }]))).toThrow("Event 2 of the record");
  expect(() => check(game([{ event: "something of a later version" }]))).not.toThrow();
});

test("equal balances share a rank, and the order among them is that of the seats", () => {
  expect(ranks([5, 9, 9, 1])).toEqual([3, 1, 1, 4]);
  expect(standing([5, 9, 9, 1])).toEqual([1, 2, 0, 3]);
});

test("seats lie within the table and keep their distance", () => {
  for (const seats of [2, 5, 9, 14]) {
    const places = around(seats, { width: 800, height: 600 }, { width: 110, height: 92 });
    expect(places[0]).toEqual({ x: 400, y: 46 });
    for (const { x, y } of places) expect(x >= 55 - 1e-9 && x <= 745 + 1e-9 && y >= 46 - 1e-9 && y <= 554 + 1e-9).toBe(true);
    places.forEach((one, place) => {
      for (const other of places.slice(0, place)) expect(Math.abs(one.x - other.x) >= 110 || Math.abs(one.y - other.y) >= 92).toBe(true);
    });
  }
});

test("a text is cut between characters, and a label turns no direction", () => {
  expect(cut("abc", 3)).toBe("abc");
  expect(cut("ab😀c", 3)).toBe("ab…");
  const record = game();
  record.seats[0]!.label = "\u202eevil\u2069";
  expect(labelOf(record, 0)).toBe("\u2068evil\u2069");
});
