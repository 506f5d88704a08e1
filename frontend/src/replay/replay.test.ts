import { describe, expect, it, test } from "vitest";

import { contrast, seatColours, adjustColour } from "./colours";
import type { Quantity, Scene, Telling, Effect } from "./scene";
import { formatQuantity } from "./words";
import { Clock, otherSpeed, positionMarks, placeOf, nextTurnStop } from "./moments";
import { foldOf, formAt, isOut, momentName, numberAt, numberIn, ranks, seatIn, seatsAt, standing, turnOf, turnStops, valueIn, winnersAt } from "./fold";
import { asSeenBy, extendRecord, type GameRecord, BrokenRecord, checkRecord, readRecord, seatName } from "./record";
import { highlightsOf } from "./highlights";
import { leaderText, spoken } from "./spoken";
import { linesOf, placeIn } from "./transcript";

// Seats have the colours of their players, which can be read on light and on dark paper and differ from one another.


const PAPERS = [["#fff", "#1b1f23"], ["#1a1d21", "#eceae4"]] as const;
const FAMILIES = ["#d14a00", "#4b9a80", "#6387ff", "#a67398", "#c58a00", "#1fa0b5", "#89854f", "#66626f", "#7340ff", "#855c3d", "#f56083", "#13699e"];

test.each(PAPERS)("every colour can be read on %s", (paper, ink) => {
  for (const colour of FAMILIES) expect(contrast(adjustColour(colour, paper, ink), paper)).toBeGreaterThanOrEqual(4.5);
});

test("seats of one family differ in lightness, and what a record does not say is left to the page", () => {
  const seats = ["#4b9a80", "#4b9a80", undefined].map((colour, seat) => ({ seat, label: `P${seat + 1}`, player: "x", colour }));
  const [first, second, third] = seatColours(seats, ...PAPERS[0]);
  expect(first).not.toBe(second);
  expect(third).toBe("");
  expect(seatColours(seats, "white", "black")).toEqual([]);
});

const money = { digits: 2 } as Quantity;

test.each([
  [-0.001, "0.00"],
  [-0, "0.00"],
  [-0.005001, "−0.01"],
  [-1234.5, "−1,234.50"],
  [-Infinity, "−∞"],
])("%s is shown as %s", (value, text) => {
  expect(formatQuantity(money, value)).toBe(text);
});
test("what is rounded to nothing has the sign of nothing", () => {
  const gain = { digits: 0, signed: true } as Quantity;
  expect([-0.2, 0, 0.2, -2].map((value) => formatQuantity(gain, value))).toEqual(["+0", "+0", "+0", "−2"]);
  expect(formatQuantity(undefined, -0.001)).toBe("0");
});

describe("the place of a moment", () => {
  const stops = [0, 3, 5, 9];
  it.each([[0, 0], [1, 1], [3, 1], [4, 2], [9, 3], [99, 3]])("of %i events seen is %i", (seen, place) => {
    expect(placeOf(stops, seen)).toBe(place);
  });
});

describe("a step over turns", () => {
  const stops = [0, 1, 2, 3, 4, 5, 6, 7];
  const turns = [3, 6];
  it("goes to the next or the last turn that is complete", () => {
    expect(nextTurnStop(stops, turns, 0, 1)).toBe(3);
    expect(nextTurnStop(stops, turns, 3, 1)).toBe(6);
    expect(nextTurnStop(stops, turns, 5, -1)).toBe(3);
    expect(nextTurnStop(stops, turns, 6, -1)).toBe(3);
    expect(nextTurnStop(stops, turns, 7, -1)).toBe(6);
  });
  it("ends at the ends", () => {
    expect(nextTurnStop(stops, turns, 6, 1)).toBe(7);
    expect(nextTurnStop(stops, turns, 2, -1)).toBe(0);
    expect(nextTurnStop(stops, [], 2, 1)).toBe(7);
  });
});

describe("the clock", () => {
  it("gives as many moments as the speed says, however frames fall", () => {
    const clock = new Clock();
    let due = 0;
    for (let now = 0; now <= 10_000; now += 16.7) due += clock.tick(now, 20);
    expect(due).toBe(199);
  });
  it("does not make up for a page that slept", () => {
    const clock = new Clock();
    clock.tick(0, 20);
    expect(clock.tick(60_000, 20)).toBe(10);
  });
});

describe("speed", () => {
  it("goes from half a moment to sixty a second", () => {
    expect(otherSpeed(0.5, -1)).toBe(0.5);
    expect(otherSpeed(0.5, 1)).toBe(1);
    expect(otherSpeed(60, 1)).toBe(60);
    expect(otherSpeed(7, -1)).toBe(5);
  });
});

describe("marks on the time axis", () => {
  const stops = Array.from({ length: 10_001 }, (_, seen) => seen);
  const mark = (at: number) => ({ at, text: "", tone: "plain" as const });
  it("have their places", () => expect(positionMarks([mark(3)], [0, 2, 5])).toEqual([{ ...mark(3), place: 2 }]));
  it("are bounded, and keep to the whole axis", () => {
    const placed = positionMarks(stops.map(mark), stops);
    expect(placed.length).toBeLessThanOrEqual(200);
    expect([placed[0]!.place, placed.at(-1)!.place]).toEqual([0, 10_000]);
  });
});

const SCENE: Scene = {
  layout: "table", title: "Pool", clock: "round", final: "held",
  quantities: { held: { title: "Holds" }, pool: { title: "Pool", of: "table" } }, card: { quantity: "held" },
};

function recordOf(told: Telling[], scene: Partial<Scene> = {}): GameRecord {
  const seats = [0, 1, 2].map((seat) => ({ seat, label: `P${seat + 1}`, player: `player ${seat + 1}` }));
  return {
    format: "ostrom-game", version: 2, ostrom: "", package: "", game: "pool", title: "Pool", seed: "1", number: 0, source: null, rules: {}, seats, answers: [],
    notes: [], seen: [], events: told.map((_, place) => ({ event: `event ${place}` })), scene: { ...SCENE, ...scene },
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

const whole = () => ({
  format: "ostrom-game",
  version: 2,
  ostrom: "0.1.0",
  game: "ultimatum",
  seed: 3,
  number: 0,
  source: null,
  rules: { pot: 100 },
  seats: [
    { seat: 0, label: "P1", player: "selfish" },
    { seat: 1, label: "P2", player: "P2" },
  ],
  answers: [{ turn: 1, phase: "proposer", seat: 0, value: 10, provenance: "answered" }],
  events: [{ event: "offered", version: 1, pot: 100, offer: 10 }],
  scene: { layout: "question", title: "Split", final: "payoff", quantities: { payoff: { title: "Payoff" } } },
  opening: {},
  told: [{ text: [[{ seat: 0 }, " offers 10 of 100"]], effects: [{ do: "set", values: { payoff: [90, 10] } }] }],
});
const telling = (one: unknown): string => JSON.stringify({ ...whole(), told: [one] });

describe("reading a record", () => {
  it("gives back what the file holds", () => {
    const record = readRecord(JSON.stringify(whole()));
    expect(record.game).toBe("ultimatum");
    expect(record.events).toHaveLength(1);
    expect(record.answers[0]!.value).toBe(10);
  });

  it("keeps every digit of a seed", () => {
    const seeded = (seed: string): string | null => readRecord(JSON.stringify({ ...whole(), note: '"seed": 18446744073709551614' }).replace('"seed":3', `"seed": ${seed}`)).seed;
    expect(seeded("3")).toBe("3");
    expect(seeded("9007199254740993")).toBe("9007199254740993");
    expect(seeded("18446744073709551615")).toBe("18446744073709551615");
    expect(seeded("null")).toBeNull();
  });

  it("names seats by label and player, once where they are the same", () => {
    const record = checkRecord(whole());
    expect(seatName(record, 0)).toBe("P1 selfish");
    expect(seatName(record, 1)).toBe("P2");
  });

  const broken: [string, string, RegExp][] = [
    ["text that is not JSON", '{"format": "ostrom-ga', /not JSON, or it was cut off/],
    ["an empty file", "", /not JSON/],
    ["records one a line", `${JSON.stringify(whole())}\n${JSON.stringify(whole())}\n`, /records of several games; the viewer reads one game per file/],
    ["the same, cut off", `${JSON.stringify(whole())}\n${JSON.stringify(whole()).slice(0, 90)}`, /records of several games/],
    ["a list of records", JSON.stringify([whole(), whole()]), /records of several games/],
    ["a list", "[]", /"format" should be "ostrom-game"/],
    ["another format", JSON.stringify({ ...whole(), format: "chess" }), /"format" should be "ostrom-game"/],
    ["another version", JSON.stringify({ ...whole(), version: 3 }), /version 3 of the format; this page reads version 2/],
    ["a scene without a layout", JSON.stringify({ ...whole(), scene: { title: "x" } }), /scene has no usable "layout"/],
    ["a scene with an unknown quantity", JSON.stringify({ ...whole(), scene: { ...whole().scene, final: "x" } }), /no quantity "x"/],
    ["an event that is not told", JSON.stringify({ ...whole(), told: [] }), /tellings for 0 of its 1 events/],
    ["an effect of another kind", telling({ effects: [{ do: "explode" }] }), /event 1 of the record has no usable "effects"/],
    ["an effect on a seat that is not there", telling({ effects: [{ do: "say", seat: 2, text: "" }] }), /no usable "effects"/],
    ["a quantity for too few seats", telling({ effects: [{ do: "set", values: { payoff: [1] } }] }), /no usable "effects"/],
    ["a seat's quantity that is one number", telling({ effects: [{ do: "set", values: { payoff: 1 } }] }), /sets "payoff" to an invalid value/],
    ["a form that is none", telling({ form: { form: "split", pot: "much" } }), /no usable "form"/],
    ["a sentence that is none", telling({ text: [[{ html: "<b>" }]] }), /no usable "text"/],
    ["no version", JSON.stringify({ ...whole(), version: undefined }), /version none/],
    ["no game", JSON.stringify({ ...whole(), game: 7 }), /which game/],
    ["no seats", JSON.stringify({ ...whole(), seats: [] }), /no seats/],
    ["seats out of order", JSON.stringify({ ...whole(), seats: [{ seat: 4, label: "P1", player: "x" }] }), /Seat 0 of the record/],
    ["events that are no list", JSON.stringify({ ...whole(), events: {} }), /"events" should be a list/],
    ["an event that is no object", JSON.stringify({ ...whole(), events: [null] }), /"events" should be a list of objects/],
    ["an event without a name", JSON.stringify({ ...whole(), events: [{ turn: 1 }] }), /Event 1 of the record has no name/],
    ["an answer from nowhere", JSON.stringify({ ...whole(), answers: [{ turn: 1, phase: "x", seat: 9 }] }), /Answer 1 of the record/],
  ];
  it.each(broken)("says in one line what is wrong with %s", (_, text, line) => {
    expect(() => readRecord(text)).toThrow(BrokenRecord);
    expect(() => readRecord(text)).toThrow(line);
    try {
      readRecord(text);
    } catch (error) {
      expect((error as Error).message).not.toContain("\n");
    }
  });
});

describe("a record that grows", () => {
  it("is a new record around the same list of events", () => {
    const record = checkRecord(whole());
    const longer = extendRecord(record, [{ event: "responded", accepted: true }], [{ text: [["accepted"]] }]);
    expect(longer).not.toBe(record);
    expect(longer.events).toBe(record.events);
    expect(longer.events).toHaveLength(2);
    expect(longer.told).toHaveLength(2);
  });
});

const held = (...values: number[]): Effect => ({ do: "set", values: { held: values } });
const takes = (source: number, target: number, amount: number): Effect => ({ do: "transfer", kind: "fine", source, target, amount });

function poolRecord(told: Telling[]): GameRecord {
  return {
    format: "ostrom-game", version: 2, ostrom: "", package: "", game: "pool", title: "Pool", seed: "1", number: 0, source: null, rules: {}, answers: [], notes: [], seen: [],
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
  const record = poolRecord(told);
  const found = highlightsOf(record, foldOf(record));
  const of = (kind: string) => found.filter((one) => one.kind === kind).map(({ at, text }) => [at, text]);
  it("are the largest that one takes from another", () => expect(of("punishment")).toEqual([[4, "Round 2: P2 takes 4 from P1"]]));
  it("are what the game marks", () => expect(of("promise")).toEqual([[2, "Round 1: P1 gave 2"]]));
  it("are turns of the lead", () => expect(of("lead").map(([, text]) => text)).toEqual(["Round 2: P2 overtakes P1", "Round 3: P1 overtakes P2", "Round 4: P3 overtakes P1"]));
  it("are ruins", () => expect(of("ruin")).toEqual([[5, "Round 3: P2 is left with 0"]]));
  it("are comebacks from the last place", () => expect(of("comeback")).toEqual([[7, "P3, last in round 2, wins"]]));
  it("are none in a game that is not over", () => {
    const short = poolRecord(told.slice(0, 4));
    expect(highlightsOf(short, foldOf(short)).some(({ kind }) => kind === "comeback")).toBe(false);
  });
});

describe("a transcript", () => {
  it("has every event in order, and grows with its record", () => {
    const record = poolRecord(told.slice(0, 2));
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
    const record = poolRecord(told);
    const highlights = highlightsOf(record, foldOf(record));
    expect(spoken(record, 1, highlights, [])).toContain("“I give 5”");
    const heard = spoken(record, 2, highlights, [{ moment: 2, at: "", text: "look" }]);
    expect(heard).toBe("Round 1, balances. Promise broken. P1 player 1 leads with 8. Note: look.");
  });
  it("names all shared leaders, and none if all are equal", () => {
    const record = poolRecord(told);
    const said = (...values: (number | null)[]) => leaderText(record, "held", values);
    expect([said(8, 8, 1), said(1, 2, 0.1 + 0.2), said(3, 3, 3), said(null, 4, 2)]).toEqual(
      ["P1 player 1 and P2 player 2 lead with 8", "P2 player 2 leads with 2", "", "P2 player 2 leads with 4"],
    );
  });
});

test("a finished game is shown as a seat saw it, without the secrets of others", () => {
  const record = checkRecord({
    format: "ostrom-game", version: 2, game: "auction", seats: [0, 1].map((seat) => ({ seat, label: `P${seat + 1}`, player: "x" })),
    events: [{ event: "dealt" }, { event: "over" }], told: [{ turn: 1 }, { turn: 2 }], seen: [{ 0: { turn: 9 } }, {}],
  });
  expect(asSeenBy(record, 0).told).toEqual([{ turn: 9 }, { turn: 2 }]);
  expect(asSeenBy(record, 1).told).toEqual(record.told);
  expect(asSeenBy(record, 1).events).not.toBe(record.events);
  expect(() => checkRecord({ ...record, seen: [{}] })).toThrow(BrokenRecord);
});
