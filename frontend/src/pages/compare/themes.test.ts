import { expect, it } from "vitest";

import type { ScoreColumn, ScoreRow } from "../../api/types";
import { themes } from "./themes";

const column = (name: string, theme: string): ScoreColumn => ({ name, title: name, definition: "", unit: "", theme, decimals: 1 });
const row = (subject: string, scores: Record<string, number | null>): ScoreRow => ({
  subject, label: subject, word: null, words: [],
  scores: Object.entries(scores).map(([name, value]) => ({ name, value, low: null, high: null, reason: value === null ? "not asked" : null })),
});

it("only columns and subjects that hold something are shown", () => {
  const found = themes(
    [{ name: "time", title: "Time" }, { name: "risk", title: "Risk" }],
    [column("delta", "time"), column("beta", "time"), column("crra", "risk")],
    [row("ann", { delta: 0.9, beta: null, crra: null }), row("ben", { delta: null, beta: null, crra: null })],
  );
  expect(found.map(({ name }) => name)).toEqual(["time"]);
  expect(found[0]!.columns.map(({ name }) => name)).toEqual(["delta"]);
  expect(found[0]!.rows.map(({ subject }) => subject)).toEqual(["ann"]);
});
