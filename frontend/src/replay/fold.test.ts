import { describe, expect, it } from "vitest";

import { foldOf, formAt, isOut, momentName, numberAt, numberIn, ranks, seatIn, seatsAt, standing, turnOf, turnStops, valueIn, winnersAt } from "./fold";
import { extendRecord, type GameRecord } from "./record";
import type { Scene, Telling } from "./scene";

const SCENE: Scene = {
  layout: "table", title: "Pool", clock: "round", final: "held",
  quantities: { held: { title: "Holds" }, pool: { title: "Pool", of: "table" } }, card: { quantity: "held" },
};

function recordOf(told: Telling[], scene: Partial<Scene> = {}): GameRecord {
  const seats = [0, 1, 2].map((seat) => ({ seat, label: `P${seat + 1}`, player: `player ${seat + 1}` }));
  return {
    format: "ostrom-game", version: 2, ostrom: "", package: "", game: "pool", title: "Pool", seed: "1", number: 0, source: null, rules: {}, seats, answers: [],
    notes: [], events: told.map((_, place) => ({ event: `event ${place}` })), scene: { ...SCENE, ...scene },
    opening: { effects: [{ do: "set", values: { held: [5, 5, 5], pool: 0 } }] }, told,
  };
}

const set = (values: Record<string, number | (number | null)[]>, seat?: number): Telling["effects"] => [{ do: "set", values, ...(seat === undefined ? {} : { seat }) }];
const game = (): GameRecord =>
  recordOf([
    { turn: 1, effects: [{ do: "say", seat: 1, text: "hello" }] },
    { turn: 1, title: ["all give"], effects: set({ held: [4, 3, 5], pool: 3 }) },
    { turn: 1, joined: true, effects: [{ do: "leave", seat: 2 }, { do: "mark", tone: "bad" }], text: [[{ seat: 2 }, " leaves"]] },
    { turn: 2, text: [["the pool grows"]], effects: set({ pool: 9 }) },
    { turn: 2, effects: set({ held: 8 }, 0), form: { form: "gamble", gain: 1, loss: 1, choice: { options: [], labels: [], answer: null } } },
    { turn: 2, phase: "end", title: ["the end"], effects: set({ held: [8, 3, 8] }) },
  ]);

describe("a fold", () => {
  it("stops once for what belongs together", () => expect(foldOf(game()).stops).toEqual([0, 1, 3, 4, 5, 6]));
  it("knows what every quantity was at every moment", () => {
    const fold = foldOf(game());
    expect(seatsAt(fold, "held", 0)).toEqual([5, 5, 5]);
    expect(seatsAt(fold, "held", 1)).toEqual([5, 5, 5]);
    expect(seatsAt(fold, "held", 3)).toEqual([4, 3, 5]);
    expect(seatsAt(fold, "held", 5)).toEqual([8, 3, 5]);
    expect([0, 2, 3, 4, 6].map((seen) => numberAt(fold, "pool", seen))).toEqual([0, 3, 3, 9, 9]);
    expect(numberAt(fold, "unheard of", 6)).toBeNull();
  });
  it("knows the last value of each turn", () => {
    const fold = foldOf(game());
    expect([0, 1, 2].map((turn) => numberIn(fold, "pool", turn))).toEqual([0, 3, 9]);
    expect(seatIn(fold, "held", 2, 0)).toBe(8);
    expect(valueIn(fold, "held", 1)).toEqual([4, 3, 5]);
  });
  it("counts turns, and steps over whole ones", () => {
    const fold = foldOf(game());
    expect([0, 1, 3, 4, 6].map((seen) => turnOf(fold, seen))).toEqual([0, 1, 1, 2, 2]);
    expect(turnStops(fold)).toEqual([3, 6]);
  });
  it("knows who is out, what is drawn and who has won", () => {
    const [record, fold] = [game(), foldOf(game())];
    expect([isOut(fold, 2, 2), isOut(fold, 2, 3), isOut(fold, 0, 6)]).toEqual([false, true, false]);
    expect([formAt(fold, 4), formAt(fold, 5)?.form]).toEqual([null, "gamble"]);
    expect(winnersAt(record, fold, 5)).toEqual([]);
    expect(winnersAt(record, fold, 6)).toEqual([0, 2]);
  });
  it("names moments and marks", () => {
    const record = game();
    expect([0, 1, 3, 4, 6].map((seen) => momentName(record, seen))).toEqual(["Before the first round", "Round 1, P2 speaks", "Round 1, all give", "Round 2, the pool grows", "Round 2, the end"]);
    expect(foldOf(record).marks).toEqual([{ at: 3, text: "Round 1: P3 leaves", tone: "bad" }]);
  });
  it("goes on with a record that grows, and gives the same as all at once", () => {
    const whole = game();
    const half = recordOf(whole.told.slice(0, 3));
    foldOf(half);
    const grown = extendRecord(half, whole.events.slice(3), whole.told.slice(3));
    expect({ ...foldOf(grown) }).toEqual({ ...foldOf(whole) });
  });
  it("does little for a long game", () => {
    const long = recordOf(Array.from({ length: 10_000 }, (_, turn) => ({ turn: turn + 1, effects: set({ pool: turn }) })));
    expect(numberAt(foldOf(long), "pool", 5_000)).toBe(4_999);
    expect(turnStops(foldOf(long))).toHaveLength(1_001);
  });
});

describe("ranks", () => {
  it("are shared by equal values, also up to rounding error", () => expect(ranks([0.1 + 0.2, 0.3, 1, null])).toEqual([2, 2, 1, 4]));
  it("turn around where less is better", () => expect(standing([3, 1, 2], "lower")).toEqual([1, 2, 0]));
});
