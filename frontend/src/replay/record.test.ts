import { describe, expect, it } from "vitest";

import { BrokenRecord, checkRecord, extendRecord, readRecord, seatName } from "./record";

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
