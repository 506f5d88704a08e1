import { expect, it } from "vitest";

import type { ScoreColumn, ScoreRow, RatingRow } from "../../api/types";
import { themes } from "./themes";
import { matches, sortRows, orderOf, pressColumn } from "./order";

const column = (name: string, theme: string): ScoreColumn => ({ name, title: name, definition: "", unit: "", theme, decimals: 1 });
const subjectRow = (subject: string, scores: Record<string, number | null>): ScoreRow => ({
  subject, label: subject, word: null, words: [],
  scores: Object.entries(scores).map(([name, value]) => ({ name, value, low: null, high: null, reason: value === null ? "not asked" : null })),
});

it("only columns and subjects that hold something are shown", () => {
  const found = themes(
    [{ name: "time", title: "Time" }, { name: "risk", title: "Risk" }],
    [column("delta", "time"), column("beta", "time"), column("crra", "risk")],
    [subjectRow("ann", { delta: 0.9, beta: null, crra: null }), subjectRow("ben", { delta: null, beta: null, crra: null })],
  );
  expect(found.map(({ name }) => name)).toEqual(["time"]);
  expect(found[0]!.columns.map(({ name }) => name)).toEqual(["delta"]);
  expect(found[0]!.rows.map(({ subject }) => subject)).toEqual(["ann"]);
});

const cells = (values: Record<string, number | string | null>): RatingRow["cells"] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { text: String(value), value }]));
const row = (place: number, label: string, games: number, strength: number | null): RatingRow =>
  ({ place, player: label.toLowerCase(), label, cells: cells({ place, player: label, games, strength }) }) as RatingRow;
const ROWS = [row(1, "Bea", 12, 0.4), row(2, "Ann", 40, 0.9), row(3, "Cy", 12, null)];
const names = (query: string): string[] => sortRows(ROWS, orderOf(new URLSearchParams(query))).map(({ label }) => label);

it("a column sorts by its figures, the highest first, and what has none last", () => {
  expect(names("")).toEqual(["Bea", "Ann", "Cy"]);
  expect(names("sort=games")).toEqual(["Ann", "Bea", "Cy"]);
  expect(names("sort=games&order=turned")).toEqual(["Bea", "Cy", "Ann"]);
  expect(names("sort=strength&order=turned")).toEqual(["Bea", "Ann", "Cy"]);
  expect(names("sort=player")).toEqual(["Ann", "Bea", "Cy"]);
  expect(names("sort=nothing")).toEqual(["Bea", "Ann", "Cy"]);
});

it("a second press turns the order", () => {
  const once = pressColumn({ by: "place", turned: false }, "games");
  expect(once).toEqual({ by: "games", turned: false });
  expect(pressColumn(once, "games")).toEqual({ by: "games", turned: true });
});

it("every word stands in a name, and who is pinned stays", () => {
  const one = { player: "gemini-2.5-pro", label: "Gemini 2.5 Pro" };
  expect(matches(one, "pro gem", [])).toBe(true);
  expect(matches(one, "flash", [])).toBe(false);
  expect(matches(one, "flash", ["gemini-2.5-pro"])).toBe(true);
});
