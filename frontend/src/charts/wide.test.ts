import { describe, expect, it } from "vitest";

import { sorted, widen } from "./wide";

const columns = [
  { title: "player", field: "label", format: null },
  { title: "round", field: "round", format: null },
  { title: "given", field: "value", format: ".1%" },
  { title: "from", field: "low", format: ".1%" },
];
const row = (label: string, round: number, value: number) => ({ label, round, value, low: value - 0.1 });

describe("a table of figures", () => {
  it("has a row for each player and a column for each round", () => {
    const made = widen({ columns, rows: [row("A", 2, 0.4), row("A", 1, 0.5), row("B", 2, 0.2)] })!;
    expect(made.times).toEqual([1, 2]);
    expect(made.rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.["value"] ?? null)])).toEqual([["A", 0.5, 0.4], ["B", null, 0.2]]);
    expect([made.clock.title, made.low?.title, made.high]).toEqual(["round", "from", null]);
  });
  it("stays long where it has no rounds, or two figures for one place", () => {
    expect(widen({ columns: [columns[0]!, columns[2]!], rows: [{ label: "A", value: 1 }] })).toBeNull();
    expect(widen({ columns, rows: [row("A", 1, 0.4), row("A", 1, 0.5), row("A", 2, 0.5)] })).toBeNull();
  });
  it("is sorted by figures as figures, with what is missing last", () => {
    const rows = [{ x: 10 }, { x: null }, { x: 9 }];
    expect(sorted(rows, ({ x }) => x, false).map(({ x }) => x)).toEqual([9, 10, null]);
    expect(sorted(rows, ({ x }) => x, true).map(({ x }) => x)).toEqual([10, 9, null]);
    expect(sorted(["P10", "P9"], (name) => name, false)).toEqual(["P9", "P10"]);
  });
});
