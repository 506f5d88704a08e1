import { describe, expect, it } from "vitest";

import type { GameRecord } from "../record";
import type { Telling } from "../scene";
import { answersOf, pointsOf, switches, type Choices } from "./lists";

const choice = (at: number, option: string | undefined, group = "a"): Telling => ({ asked: {}, point: { list: "offers", group, label: String(at), at, option } });

function recordOf(told: Telling[]): GameRecord {
  const lists = { offers: { kind: "choices", axis: "offer", options: ["reject", "accept"] }, given: { kind: "amounts", title: "Given" }, ends: { kind: "points" } };
  return { told, scene: { layout: "question", title: "x", lists } } as unknown as GameRecord;
}

const answers = (told: Telling[]): ReturnType<typeof answersOf> => answersOf(recordOf(told), pointsOf(recordOf(told), told.length), told.length);

describe("answers to questions like each other", () => {
  it("stand in the order of what changes, each group by itself, with the place where they turn", () => {
    const found = answers([choice(30, "accept"), choice(10, "reject"), choice(50, "accept", "b"), choice(20, undefined), choice(10, "reject")]) as Choices;
    expect(found.rungs.map(({ value, chosen, now }) => [value, chosen, now])).toEqual([[10, [2, 0], true], [20, [0, 0], false], [30, [0, 1], false]]);
    expect(switches(found.rungs).map(({ from, to }) => [from.label, to.label])).toEqual([["10", "30"]]);
  });
  it("are none where there is nothing to compare", () => {
    expect(answers([choice(10, "accept")])).toBeNull();
    expect(answers([])).toBeNull();
    expect(answers([{ point: { list: "ends", label: "x", at: 0, amount: 3 } }])).toBeNull();
  });
  it("are amounts on a track where numbers are named", () => {
    const told: Telling[] = [1, 3].map((amount) => ({ asked: {}, point: { list: "given", label: "a pot of 10", at: 0, amount, high: 10 } }));
    expect(answers(told)).toMatchObject({ kind: "amounts", rows: [{ label: "a pot of 10", answers: [1, 3], high: 10, now: true }] });
  });
});
