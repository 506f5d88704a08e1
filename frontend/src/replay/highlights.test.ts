import { describe, expect, it } from "vitest";

import { foldOf } from "./fold";
import { highlightsOf } from "./highlights";
import type { GameRecord } from "./record";
import type { Effect, Telling } from "./scene";
import { leaderText, spoken } from "./spoken";
import { linesOf, placeIn } from "./transcript";

const held = (...values: number[]): Effect => ({ do: "set", values: { held: values } });
const takes = (source: number, target: number, amount: number): Effect => ({ do: "transfer", kind: "fine", source, target, amount });

function recordOf(told: Telling[]): GameRecord {
  return {
    format: "ostrom-game", version: 2, ostrom: "", package: "", game: "pool", title: "Pool", seed: "1", number: 0, source: null, rules: {}, answers: [], notes: [],
    seats: [0, 1, 2].map((seat) => ({ seat, label: `P${seat + 1}`, player: `player ${seat + 1}` })),
    events: told.map((_, place) => ({ event: `e${place}` })), told, opening: { effects: [held(5, 5, 5)] },
    scene: {
      layout: "table", title: "Pool", clock: "round", final: "held", quantities: { held: { title: "Holds" } }, card: { quantity: "held" },
      flows: { fine: { title: "Fine", takes: true } }, phases: [{ name: "fine", title: "Fines" }],
    },
  };
}

const told: Telling[] = [
  { turn: 1, effects: [{ do: "say", seat: 0, text: "I give 5" }] },
  { turn: 1, title: ["balances"], effects: [held(8, 5, 1), { do: "mark", tone: "bad", kind: "promise broken", text: [{ seat: 0 }, " gave 2"] }] },
  { turn: 2, phase: "fine", text: [[{ seat: 0 }, " fines ", { seat: 1 }]], effects: [takes(0, 1, 2)] },
  { turn: 2, phase: "fine", text: [["again"]], effects: [takes(1, 0, 4), held(4, 6, 1)] },
  { turn: 3, title: ["balances"], effects: [held(4, 0, 2)] },
  { turn: 4, title: ["balances"], effects: [held(4, 0, 9)] },
  { turn: 4, phase: "end", title: ["the end"], effects: [held(4, 0, 9)] },
];

describe("key moments", () => {
  const record = recordOf(told);
  const found = highlightsOf(record, foldOf(record));
  const of = (kind: string) => found.filter((one) => one.kind === kind).map(({ at, text }) => [at, text]);
  it("are the largest that one takes from another", () => expect(of("punishment")).toEqual([[4, "Round 2: P2 takes 4 from P1"]]));
  it("are what the game marks", () => expect(of("promise")).toEqual([[2, "Round 1: P1 gave 2"]]));
  it("are turns of the lead", () => expect(of("lead").map(([, text]) => text)).toEqual(["Round 2: P2 overtakes P1", "Round 3: P1 overtakes P2", "Round 4: P3 overtakes P1"]));
  it("are ruins", () => expect(of("ruin")).toEqual([[5, "Round 3: P2 is left with 0"]]));
  it("are comebacks from the last place", () => expect(of("comeback")).toEqual([[7, "P3, last in round 2, wins"]]));
  it("are none in a game that is not over", () => {
    const short = recordOf(told.slice(0, 4));
    expect(highlightsOf(short, foldOf(short)).some(({ kind }) => kind === "comeback")).toBe(false);
  });
});

describe("a transcript", () => {
  it("has every event in order, and grows with its record", () => {
    const record = recordOf(told.slice(0, 2));
    const lines = linesOf(record);
    expect(lines.map(({ at, opens, heading }) => [at, opens, heading])).toEqual([[1, "Round 1", ""], [2, "", "Balances"]]);
    record.events.push({ event: "more" });
    record.told.push(told[2]!);
    expect(linesOf(record).map(({ at }) => at)).toEqual([1, 2, 3]);
    expect([0, 1, 2, 9].map((seen) => placeIn(lines, seen))).toEqual([-1, 0, 1, 2]);
  });
});

describe("what is heard", () => {
  it("names the moment, what was said, key moments, notes and who leads", () => {
    const record = recordOf(told);
    const highlights = highlightsOf(record, foldOf(record));
    expect(spoken(record, 1, highlights, [])).toContain("“I give 5”");
    const heard = spoken(record, 2, highlights, [{ moment: 2, at: "", text: "look" }]);
    expect(heard).toBe("Round 1, balances. Promise broken. P1 player 1 leads with 8. Note: look.");
  });
  it("names all shared leaders, and none if all are equal", () => {
    const record = recordOf(told);
    const said = (...values: (number | null)[]) => leaderText(record, "held", values);
    expect([said(8, 8, 1), said(1, 2, 0.1 + 0.2), said(3, 3, 3), said(null, 4, 2)]).toEqual(
      ["P1 player 1 and P2 player 2 lead with 8", "P2 player 2 leads with 2", "", "P2 player 2 leads with 4"],
    );
  });
});
