import { expect, it } from "vitest";

import { foldOf } from "../fold";
import { checkRecord } from "../record";
import { curvesAt } from "./curves";

const set = (values: Record<string, unknown>): unknown => ({ turn: 1, effects: [{ do: "set", values }] });
const record = checkRecord({
  format: "ostrom-game", version: 2, game: "market", title: "Market", rules: {}, answers: [],
  seats: ["Ann", "Bob", "Cid", "Dan"].map((player, seat) => ({ seat, label: `P${seat + 1}`, player })),
  events: [{ event: "quoted" }, { event: "dealt" }],
  scene: {
    layout: "sides", title: "Market", clock: "round", card: { quantity: "payoff" },
    quantities: { payoff: { title: "Payoff" }, quote: { title: "Quote" }, value: { title: "Value" }, price: { title: "Price", of: "table", low: 0, high: 100 } },
    prices: { quotes: "quote", trades: "price", right: [2, 3], values: "value", curves: true },
  },
  opening: {}, told: [set({ quote: [20, 60, 70, null], value: [30, null, null, null] }), set({ value: [30, 80, 10, 50] })],
});

it("ranks bids from the highest and asks from the lowest, without seats that quoted nothing", () => {
  expect(curvesAt(record.scene!, foldOf(record), 1)).toEqual([
    { prices: [60, 20], supply: false, valued: false },
    { prices: [70], supply: true, valued: false },
  ]);
});

it("adds private values when all of them are known", () => {
  expect(curvesAt(record.scene!, foldOf(record), 2).slice(2)).toEqual([
    { prices: [80, 30], supply: false, valued: true },
    { prices: [10, 50], supply: true, valued: true },
  ]);
});
