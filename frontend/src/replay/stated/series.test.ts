import { describe, expect, it } from "vitest";

import type { Item } from "./items";
import { seriesOf, switches, type Placed } from "./series";

function placed(task: string, role: string, rows: [condition: string, facts: Record<string, unknown>, answer: Item["answer"]][]): Placed[] {
  return rows.map(([condition, facts, answer], place) => ({ place, item: { event: "item_answered", task, role, condition, purpose: "score", facts, answer } as unknown as Item }));
}
const time = (...rows: [sooner: number, answer: string | null][]): Placed[] =>
  placed("time", "chooser", rows.map(([sooner, answer]) => ["later=100 delay=12 front=0", { sooner, later: 100 }, answer]));

describe("a list of choices", () => {
  it("is in the order of the amounts, whatever the order of asking, and counts answers", () => {
    const series = seriesOf(time([100, "sooner"], [0, "later"], [50, "later"], [75, "sooner"], [75, "sooner"], [75, "later"]));
    expect(series).toMatchObject({ kind: "choices", options: ["later", "sooner"] });
    if (series?.kind !== "choices") throw new Error("no choices");
    expect(series.rungs.map(({ value, chosen, now }) => [value, chosen, now])).toEqual([
      [0, [1, 0], false], [50, [1, 0], false], [75, [1, 2], true], [100, [0, 1], false],
    ]);
    expect(switches(series.rungs).map(({ from, to }) => [from.value, to.value])).toEqual([[50, 75]]);
  });
  it("switches as often as the majority turns, and passes over ties and missing answers", () => {
    const series = seriesOf(time([0, "later"], [25, null], [50, "sooner"], [75, "later"], [100, "sooner"]));
    if (series?.kind !== "choices") throw new Error("no choices");
    expect(switches(series.rungs).map(({ after, from, to }) => [after, from.value, to.value])).toEqual([[1, 0, 50], [2, 50, 75], [3, 75, 100]]);
  });
  it("holds one condition alone", () => {
    const two = [...time([10, "later"], [90, "sooner"]), ...placed("time", "chooser", [["later=1000 delay=12 front=0", { sooner: 5 }, "later"]])];
    expect(seriesOf(two)).toBeNull();
  });
  it("puts the lotteries of both edges of the triangle on one line", () => {
    const other = (...chances: number[]): Record<string, unknown> => ({ other: chances, outcomes: [0, 500, 1000] });
    const series = seriesOf(placed("risk", "chooser", [["r", other(0, 1, 0), "other"], ["r", other(1, 0, 0), "reference"], ["r", other(0.25, 0.75, 0), "other"]]));
    if (series?.kind !== "choices") throw new Error("no choices");
    expect(series.rungs.map(({ value, label }) => [value, label])).toEqual([[-1, "100 % of 0"], [-0.25, "25 % of 0, else 500"], [0, "500 for sure"]]);
  });
});

describe("a list of amounts", () => {
  it("has a line for each question, in the order of its numbers, with all answers", () => {
    const rows: [string, Record<string, unknown>, number | null][] = [["pot=100", { pot: 100 }, 40], ["pot=10", { pot: 10 }, 5], ["pot=10", { pot: 10 }, null], ["pot=10", { pot: 10 }, 3]];
    const series = seriesOf(placed("dictator", "giver", rows));
    if (series?.kind !== "amounts") throw new Error("no amounts");
    expect(series.rows.map(({ label, high, answers, now }) => [label, high, answers, now])).toEqual([["a pot of 10", 10, [5, 3], true], ["a pot of 100", 100, [40], false]]);
  });
  it("is left out where the facts do not say how much there is", () => {
    expect(seriesOf(placed("dictator", "giver", [["pot=10", { pot: "ten" }, 3]]))).toBeNull();
    expect(seriesOf([])).toBeNull();
  });
});
