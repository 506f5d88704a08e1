import { describe, expect, it } from "vitest";

import { BrokenRecord, extended, type GameEvent, type GameRecord } from "../record";
import { capitalsAfter, foldOf, ranks, turnOf } from "./fold";
import { heatOf, pixels } from "./heat";
import { tell } from "./words";

function turn(number: number, capitals: number[], more: Partial<GameEvent> = {}): GameEvent {
  const same = (value: unknown) => capitals.map(() => value);
  return {
    event: "turn_played", version: 1, turn: number, present: same(true), contributions: same(1), lobby: same(0), alpha: 0.5, synergy: 1.8, pot: 300,
    shares: same(100), erosion: 1, gains: same(100), capitals, cooperation: 1, next_synergy: 1.9, ...more,
  };
}

function game(events: GameEvent[]): GameRecord {
  const seats = ["A", "B", "C"].map((player, seat) => ({ seat, label: `P${seat + 1}`, player }));
  return { format: "ostrom-game", version: 1, ostrom: "", game: "commons", seed: 1, number: 0, source: null, rules: {}, seats, answers: [], events };
}

const vote = (at: number, votes: (number | null)[]): GameEvent => ({ event: "vote_held", turn: at, votes });

describe("the fold of a Commons game", () => {
  const events = [
    turn(1, [10, 20, 30]),
    { event: "golden_age", turn: 1, cooperation: 0.9, synergy: 1.9 },
    turn(2, [40, 20, 30]),
    vote(2, [1, null, 1]),
    { event: "seat_excluded", turn: 2, seat: 1, votes: 2 },
    turn(3, [50, 20, 60], { present: [true, false, true] }),
    { event: "game_ended", turn: 3, capitals: [50, 20, 60], winners: [2] },
  ];

  it("stops before the first turn and after all that belongs to each", () => {
    expect(foldOf(game(events)).stops).toEqual([0, 2, 5, 7]);
  });
  it("knows the turn of every moment", () => {
    const fold = foldOf(game(events));
    expect([0, 1, 2, 3, 5, 6, 7].map((seen) => turnOf(fold, seen))).toEqual([0, 1, 1, 2, 2, 3, 3]);
  });
  it("gives the numbers of the record, and nothing before the first turn", () => {
    const fold = foldOf(game(events));
    expect(capitalsAfter(fold, 2)).toBe(events[2]!.capitals);
    expect(capitalsAfter(fold, 0)).toEqual([0, 0, 0]);
    expect(fold.excluded).toEqual([null, 2, null]);
    expect([fold.highest, fold.ended]).toEqual([60, true]);
  });
  it("is made once, and extended as the game goes on", () => {
    const record = game(events.slice(0, 1));
    const fold = foldOf(record);
    expect(fold.stops).toEqual([0, 1]);
    const longer = extended(record, events.slice(1, 4));
    expect(foldOf(longer)).toBe(fold);
    expect(fold.stops).toEqual([0, 2, 4]);
  });

  it.each<[string, GameEvent[], RegExp]>([
    ["a turn out of order", [turn(2, [1, 2, 3])], /Event 1 of the record, turn_played: "turn" should be 1/],
    ["a missing seat", [turn(1, [1, 2])], /"contributions" should be a list of 3 numbers/],
    ["text for a number", [turn(1, [1, 2, 3], { alpha: "<b>" })], /"alpha" should be a number/],
    ["a vote against nobody known", [turn(1, [1, 2, 3]), vote(1, [7, null, null])], /Event 2 of the record, vote_held/],
    ["an event of another game", [turn(1, [1, 2, 3]), { event: "punished", turn: 1 }], /the Commons has no such event/],
    ["news before the first turn", [{ event: "golden_age", turn: 0 }], /before the first turn_played/],
    ["an end without winners", [turn(1, [1, 2, 3]), { event: "game_ended", turn: 1, winners: [] }], /"winners"/],
  ])("refuses %s in one line", (_, wrong, line) => {
    expect(() => foldOf(game(wrong))).toThrow(BrokenRecord);
    expect(() => foldOf(game(wrong))).toThrow(line);
  });
});

describe("ranks", () => {
  it("follow capital, and seats where it is equal", () => expect(ranks([10, 30, 10, 20])).toEqual([2, 0, 3, 1]));
  it("are not decided by dust", () => expect(ranks([0.3, 0.1 + 0.2])).toEqual([0, 1]));
});

describe("the news", () => {
  it("are told in words, with names", () => {
    const record = game([
      turn(1, [1, 2, 3]),
      vote(1, [1, null, 1]),
      { event: "seat_excluded", turn: 1, seat: 1, votes: 2 },
      turn(2, [4, 2, 9]),
      { event: "game_ended", turn: 2, capitals: [4, 2, 9], winners: [2] },
    ]);
    const told = tell(record, foldOf(record)).map(({ turn: at, title, text }) => `${at} ${title}: ${text}`);
    expect(told[0]).toBe("1 Vote: P1 A and P3 C against P2 B.");
    expect(told[1]).toMatch(/^1 P2 B is excluded: By 2 votes/);
    expect(told[2]).toBe("2 The game ends: P3 C wins with 9.00.");
  });
  it("tell a vote once while it stays the same", () => {
    const record = game([turn(1, [1, 2, 3]), vote(1, [1, null, 1]), turn(2, [1, 2, 3]), vote(2, [1, null, 1]), turn(3, [1, 2, 3]), vote(3, [2, null, null])]);
    expect(tell(record, foldOf(record)).map(({ turn: at }) => at)).toEqual([1, 3]);
  });
});

describe("the heatmap", () => {
  it("has a row a seat and a column a turn, and is empty where a seat is out", () => {
    const record = game([turn(1, [1, 2, 3], { contributions: [0, 0.5, 1] }), turn(2, [1, 2, 3], { contributions: [1, 0, 1], present: [true, false, true] })]);
    const heat = heatOf(foldOf(record), 100);
    expect([heat.columns, [...heat.values]]).toEqual([2, [0, 1, 0.5, -1, 1, 1]]);
    expect([...pixels(heat, [0, 0, 0], [100, 200, 50])].slice(8, 16)).toEqual([50, 100, 25, 255, 0, 0, 0, 0]);
  });
  it("takes several turns into one column where there are more than fit", () => {
    const record = game(Array.from({ length: 100 }, (_, k) => turn(k + 1, [1, 2, 3], { contributions: [k % 2, 1, 0] })));
    const heat = heatOf(foldOf(record), 10);
    expect(heat.columns).toBe(10);
    expect(heat.values[0]).toBe(0.5);
  });
});
