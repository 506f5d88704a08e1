import { describe, expect, it, test } from "vitest";

import { csvOf } from "./csv";
import { panelsOf } from "./panels";
import { colourOf, lineNames, narrowSpec, slim, wrapPanels } from "./narrow";
import { axis } from "./axis";
import { contrast, legible, legibleWords, TEXT } from "./inks";
import { dataTables, expectedHeight, fetches, withInk, standalone } from "./specs";
import { sorted, widen } from "./wide";

const columns = [{ title: "player", field: "p", format: null }, { title: "mean, tokens", field: "m", format: ".1f" }];

test("figures are whole, and signs of the format are quoted", () => {
  const rows = [{ p: 'a "b"', m: 1 / 3 }, { p: "c,d\n", m: null }];
  expect(csvOf({ columns, rows })).toBe('player,"mean, tokens"\r\n"a ""b""",0.3333333333333333\r\n"c,d\n",\r\n');
});

test("a name is never a formula, and a negative number stays a number", () => {
  expect(csvOf({ columns, rows: [{ p: "=1+1", m: -2 }] })).toBe("player,\"mean, tokens\"\r\n'=1+1,-2\r\n");
});

test("nor is one that begins with a space, a tab or a wide sign; a name that is a number stays it", () => {
  const names = [" =1", "\t=1", "\uff1d1", "@A1", "-1+1", "-3.5", "+1e-5", "a=1"];
  const lines = csvOf({ columns: columns.slice(0, 1), rows: names.map((p) => ({ p })) }).split("\r\n");
  expect(lines.slice(1, -1)).toEqual(["' =1", "'\t=1", "'\uff1d1", "'@A1", "'-1+1", "-3.5", "+1e-5", "a=1"]);
});

const panel = (name: string): object => ({
  title: { text: name, subtitle: ["in two", "lines", ""] }, width: 252, layer: [{ data: { name }, mark: "line" }, { data: { name: "shared" }, mark: "rule" }],
});
const CARD = {
  vconcat: [{ hconcat: [panel("a"), panel("b")], spacing: 76 }, { hconcat: [panel("c")] }],
  datasets: { a: [{ x: 1 }], b: [{ x: 2 }], c: [], shared: [{ y: 0 }] },
};

test("a grid is taken apart into panels with their words and their own data", () => {
  const panels = panelsOf(CARD)!;
  expect(panels.map(({ title }) => title)).toEqual(["a", "b", "c"]);
  expect(panels[0]).toEqual({
    title: "a", subtitle: "in two lines",
    spec: { width: 252, layer: CARD.vconcat[0]!.hconcat[0]!["layer" as never], datasets: { a: [{ x: 1 }], shared: [{ y: 0 }] } },
  });
});

test("other charts stay whole", () => {
  expect(panelsOf({ hconcat: [panel("a"), panel("b")] })).toBeNull();
  expect(panelsOf({ layer: [] })).toBeNull();
  expect(panelsOf({ vconcat: [panel("a")] })).toBeNull();
});

const y = { field: "label", type: "nominal", axis: { grid: false }, scale: { domain: ["A", "B"] } };
const BARS = {
  height: { step: 21 },
  layer: [
    { mark: { type: "bar", height: { band: 0.68 } }, encoding: { x: { field: "value" }, y } },
    { mark: { type: "text", dx: 6 }, encoding: { x: { field: "edge" }, y, text: { field: "figure" } } },
  ],
};
const LINES = {
  height: 430,
  layer: [
    { mark: { type: "line" }, encoding: { color: { scale: { domain: ["GPT"], range: ["#009e73"] } } } },
    { name: "end_leaders", mark: "rule" },
    { name: "end_names", data: { name: "ends" }, mark: { type: "text" }, encoding: {} },
  ],
  datasets: { ends: [{ player: "g", words: "GPT · 82%", key: "GPT", dash: "1", shape: "square" }] },
};

describe("on a narrow screen", () => {
  it("names stand above bars", () => {
    const made = narrowSpec(BARS);
    expect(made["layer"]).toHaveLength(3);
    expect(made["layer"].every((unit: any) => unit.encoding.y.axis === null)).toBe(true);
    const names = made["layer"][2];
    expect(names.data.values).toEqual([{ label: "A" }, { label: "B" }]);
    expect(names.mark.dy).toBeLessThan(0);
    expect(made["layer"][0].mark.yOffset).toBeGreaterThan(0);
    expect(made["height"].step).toBeGreaterThan(30);
  });
  it("names stand above groups of bars, which keep their places", () => {
    const yOffset = { field: "part", type: "nominal", scale: { domain: ["one", "two"] } };
    const made = narrowSpec({ ...BARS, layer: BARS.layer.map((unit) => ({ ...unit, encoding: { ...unit.encoding, yOffset } })) });
    expect(made["layer"][0].mark).toEqual(BARS.layer[0]!.mark);
    expect(made["layer"][2].mark.dy).toBeLessThan(-made["height"].step);
    expect(made["layer"].every((unit: any) => unit.encoding.y.axis === null)).toBe(true);
  });
  it("the names of lines leave the drawing, and are known for a list", () => {
    expect(narrowSpec(LINES)["layer"]).toHaveLength(1);
    expect(lineNames(LINES)).toEqual([{ player: "g", words: "GPT · 82%", key: "GPT", dash: 1, shape: "square" }]);
    expect(colourOf(LINES, "GPT")).toBe("#009e73");
  });
  it("what stands side by side stands one below the other, and may be slim", () => {
    const made = narrowSpec({ hconcat: [{ ...BARS, width: 300 }, { width: 400, mark: "bar" }] });
    expect(made).not.toHaveProperty("hconcat");
    expect(slim(made, 150)["vconcat"].map(({ width }: any) => width)).toEqual([150, 250]);
  });
  it("panels that left the names of their rows to the first write them below it", () => {
    const beside = { ...BARS, layer: BARS.layer.map((unit) => ({ ...unit, encoding: { ...unit.encoding, y: { ...y, axis: null } } })) };
    const [first, second] = narrowSpec({ hconcat: [BARS, beside] })["vconcat"];
    expect(second.layer).toHaveLength(first.layer.length);
    expect(second.layer[2].data.values).toEqual([{ label: "A" }, { label: "B" }]);
  });
});

describe("panels side by side", () => {
  const beside = { ...BARS, width: 100, layer: BARS.layer.map((unit) => ({ ...unit, encoding: { ...unit.encoding, y: { ...y, axis: null } } })) };
  const board = { hconcat: [{ ...BARS, width: 200 }, beside, beside, beside], spacing: 20, datasets: {} };
  it("stay in one row where there is room", () => expect(wrapPanels(board, 700)).toBe(board));
  it("stand in rows that begin with the names where there is not", () => {
    const rows = wrapPanels(board, 400)["vconcat"];
    expect(rows.map(({ hconcat }: any) => hconcat.length)).toEqual([2, 2]);
    expect(rows[1].hconcat.map(({ layer }: any) => layer[0].encoding.y.axis)).toEqual([{ grid: false }, null]);
    expect(wrapPanels(board, 400)["datasets"]).toEqual({});
  });
});

const DOTS = {
  layer: [
    {
      data: { name: "dots" },
      mark: { type: "circle" },
      transform: [{ flatten: ["p", "value"] }],
      encoding: { tooltip: [{ field: "p", title: "player" }, { field: "value", format: ",.2f", title: "tokens" }] },
    },
    { data: { name: "medians" }, mark: { type: "tick" }, encoding: { tooltip: [{ field: "label", title: "player" }, { field: "value", title: "median" }] } },
    { data: { name: "medians" }, mark: { type: "tick" }, encoding: { tooltip: [{ field: "label", title: "player" }, { field: "value", title: "median" }] } },
  ],
  datasets: { dots: [{ p: [0, 0, 1], value: [3, 4, 5] }], medians: [{ label: "A", value: 3.5 }, { label: "B", value: 5 }] },
};

describe("a specification", () => {
  it("that asks for data from an address is known", () => {
    expect(fetches({ layer: [{ data: { url: "https://example.org/x.json" }, mark: "bar" }] })).toBe(true);
    expect(fetches({ transform: [{ lookup: "a", from: { data: { url: "x.csv" }, key: "a" } }] })).toBe(true);
  });
  it("whose data only hold the word is not refused", () => {
    expect(fetches({ data: { values: [{ url: "https://example.org" }] }, datasets: { a: [{ url: "x" }] } })).toBe(false);
  });
  it("has the ink everywhere except in its data", () => {
    const spec = { mark: { color: "currentColor" }, datasets: { a: [{ text: "currentColor" }] } };
    expect(withInk(spec, "#123456")).toEqual({ mark: { color: "#123456" }, datasets: { a: [{ text: "currentColor" }] } });
  });
  it("says how high it will be", () => {
    const bars = { height: { step: 20 }, layer: [{ encoding: { y: { scale: { domain: ["A", "B", "C"] } } } }] };
    expect(expectedHeight(bars)).toBeGreaterThan(60);
    expect(expectedHeight({ vconcat: [bars, { hconcat: [bars, { height: 300 }] }], spacing: 0 })).toBeGreaterThan(expectedHeight(bars) + 300);
  });
});

describe("the table behind a chart", () => {
  it("holds what the tooltips say, each table once, and sums in place of thousands of dots", () => {
    const tables = dataTables(DOTS);
    expect(tables).toHaveLength(1);
    expect(tables[0]!.columns.map(({ title }) => title)).toEqual(["player", "median"]);
    expect(tables[0]!.rows).toHaveLength(2);
  });
  it("holds the dots where nothing sums them up", () => {
    const [table] = dataTables({ ...DOTS, layer: DOTS.layer.slice(0, 1) });
    expect(table!.rows).toEqual([{ p: 0, value: 3 }, { p: 0, value: 4 }, { p: 1, value: 5 }]);
  });
  it("finds the data of an outer unit", () => {
    const spec = { data: { name: "a" }, layer: [{ mark: "bar", encoding: { tooltip: [{ field: "x" }] } }], datasets: { a: [{ x: 1 }] } };
    expect(dataTables(spec)[0]!.rows).toEqual([{ x: 1 }]);
  });
});

describe("an axis", () => {
  it("holds zero and all values, with round ticks", () => {
    const made = axis([-1.43, 0.2, 1.36]);
    expect(made.ticks).toEqual([-1.5, -1, -0.5, 0, 0.5, 1]);
    expect(axis([-6, 4.5]).ticks).toEqual([-6, -4, -2, 0, 2, 4]);
    expect(made.at(-1.43)).toBeGreaterThan(0);
    expect(made.at(1.36)).toBeLessThan(100);
  });
  it("stands with nothing to hold", () => {
    expect(axis([]).ticks).toContain(0);
  });
});

describe("coloured words", () => {
  it("are made legible on dark and on light paper", () => {
    for (const [ink, paper] of [["#e9e6df", "#1b1f23"], ["#1d2126", "#ffffff"]] as const) {
      for (const colour of ["#7d4cdb", "#8a8f98", "#0072b2"]) expect(contrast(legible(colour, ink, paper), paper)).toBeGreaterThanOrEqual(TEXT);
    }
  });
  it("stay as they are where they can be read, and where they stand on marks", () => {
    expect(legible("#7d4cdb", "#1d2126", "#ffffff")).toBe("#7d4cdb");
    const spec = { layer: [{ mark: { type: "text", color: "#ffffff" } }, { mark: { type: "bar", color: "#8a8f98" } }] };
    expect(legibleWords(spec, "#1d2126", "#ffffff")).toEqual(spec);
  });
});

describe("a specification to take away", () => {
  it("stands by itself: with its title, its configuration, inks that any editor knows, and a width", () => {
    const made = standalone({ width: "container", usermeta: {}, mark: { type: "rule", color: "currentColor" }, data: { values: [] } }, "Who leads", { axis: { labelColor: "currentColor" } });
    expect(made).toMatchObject({ title: "Who leads", width: 700, mark: { color: "#1d2126" }, config: { axis: { labelColor: "#1d2126" } } });
    expect(made).not.toHaveProperty("usermeta");
    expect(made["$schema"]).toContain("vega-lite");
  });
});

const wideColumns = [
  { title: "player", field: "label", format: null },
  { title: "round", field: "round", format: null },
  { title: "given", field: "value", format: ".1%" },
  { title: "from", field: "low", format: ".1%" },
];
const wideRow = (label: string, round: number, value: number) => ({ label, round, value, low: value - 0.1 });

describe("a table of figures", () => {
  it("has a row for each player and a column for each round", () => {
    const made = widen({ columns: wideColumns, rows: [wideRow("A", 2, 0.4), wideRow("A", 1, 0.5), wideRow("B", 2, 0.2)] })!;
    expect(made.times).toEqual([1, 2]);
    expect(made.rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.["value"] ?? null)])).toEqual([["A", 0.5, 0.4], ["B", null, 0.2]]);
    expect([made.clock.title, made.low?.title, made.high]).toEqual(["round", "from", null]);
  });
  it("stays long where it has no rounds, or two figures for one place", () => {
    expect(widen({ columns: [wideColumns[0]!, wideColumns[2]!], rows: [{ label: "A", value: 1 }] })).toBeNull();
    expect(widen({ columns: wideColumns, rows: [wideRow("A", 1, 0.4), wideRow("A", 1, 0.5), wideRow("A", 2, 0.5)] })).toBeNull();
  });
  it("is sorted by figures as figures, with what is missing last", () => {
    const rows = [{ x: 10 }, { x: null }, { x: 9 }];
    expect(sorted(rows, ({ x }) => x, false).map(({ x }) => x)).toEqual([9, 10, null]);
    expect(sorted(rows, ({ x }) => x, true).map(({ x }) => x)).toEqual([10, 9, null]);
    expect(sorted(["P10", "P9"], (name) => name, false)).toEqual(["P9", "P10"]);
  });
});
