import { expect, test } from "vitest";

import { foldOf } from "../fold";
import type { GameRecord } from "../record";
import { endsIn } from "./axis";

const told = [3, 11, 940].map((capital, place) => ({ turn: place + 1, effects: [{ do: "set" as const, values: { capital: [capital, -capital / 10] } }] }));
const record = {
  seats: [0, 1].map((seat) => ({ seat, label: `P${seat + 1}`, player: "" })), events: told.map(() => ({ event: "turn" })), told, opening: {},
  scene: { layout: "dashboard", title: "", quantities: { capital: { title: "Capital" } } },
} as unknown as GameRecord;

test("an axis holds what has been seen, and nothing of what comes", () => {
  const fold = foldOf(record);
  expect(endsIn(fold, "capital", { title: "" }, 0)).toEqual([0, 1]);
  expect(endsIn(fold, "capital", { title: "" }, 1)).toEqual([-0.3, 3]);
  expect(endsIn(fold, "capital", { title: "" }, 2)[1]).toBe(12);
  expect(endsIn(fold, "capital", { title: "" }, 3)[1]).toBe(1000);
});
test("an axis that the scene declares stays", () => {
  expect(endsIn(foldOf(record), "capital", { title: "", low: 0, high: 1 }, 2)).toEqual([0, 1]);
});
