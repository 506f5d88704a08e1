import { describe, expect, it } from "vitest";

import { colourOf, lineNames, narrowSpec, slim, wrapPanels } from "./narrow";

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
