import { describe, expect, it } from "vitest";

import { axis } from "./axis";
import { contrast, legible, legibleWords, TEXT } from "./inks";
import { dataTables, expectedHeight, fetches, withInk, standalone } from "./specs";

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
