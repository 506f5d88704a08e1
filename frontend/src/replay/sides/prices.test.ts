import { expect, it } from "vitest";

import { foldOf } from "../fold";
import { BrokenRecord, checkRecord } from "../record";
import { roleOf } from "../words";
import { apart, marksAt } from "./prices";

const scene = {
  layout: "sides", title: "Market", clock: "round", roles: ["buyer", "seller"], card: { quantity: "payoff" },
  quantities: { payoff: { title: "Payoff" }, quote: { title: "Quote" }, price: { title: "Price", of: "table", low: 0, high: 100 } },
  prices: { quotes: "quote", trades: "price", right: [1] },
};
const round = (turn: number, quotes: (number | null)[], prices: number[]): unknown => ({
  turn, effects: [{ do: "set", values: { quote: quotes } }, ...prices.map((price) => ({ do: "set", values: { price } }))],
});
const data = (changes: object = {}): unknown => ({
  format: "ostrom-game", version: 2, game: "market", title: "Market", rules: {}, answers: [],
  seats: ["Ann", "Bob"].map((player, seat) => ({ seat, label: `P${seat + 1}`, player })),
  events: [{ event: "cleared" }, { event: "cleared" }], scene: { ...scene, ...changes }, opening: {},
  told: [round(1, [40, null], []), round(2, [60, 50], [55, 52])],
});

it("marks the last quote of each seat on its side, and every trade of the turn", () => {
  const record = checkRecord(data());
  const at = (seen: number) => marksAt(record.scene!, foldOf(record), seen);
  expect(at(1)).toMatchObject({ quotes: [{ seat: 0, price: 40, right: false }], trades: [], past: [], low: 0, high: 100 });
  expect(at(2).quotes).toEqual([{ seat: 0, price: 60, right: false }, { seat: 1, price: 50, right: true }]);
  expect(at(2).trades).toEqual([{ price: 55, now: true }, { price: 52, now: true }]);
  expect([0, 1, 2].map((seat) => roleOf(record, seat))).toEqual(["buyer", "seller", ""]);
});

it("adds private values to quotes where the scene names them and they are known", () => {
  const told = [
    { turn: 1, effects: [{ do: "set", values: { value: [80, null] } }] },
    round(1, [60, 50], [55]),
  ];
  const values = { quantities: { ...scene.quantities, value: { title: "Value" } }, prices: { ...scene.prices, values: "value" } };
  const record = checkRecord({ ...(data(values) as object), told });
  expect(marksAt(record.scene!, foldOf(record), 2).quotes).toEqual([{ seat: 0, price: 60, right: false, value: 80 }, { seat: 1, price: 50, right: true }]);
  expect(() => checkRecord(data({ prices: { ...scene.prices, values: "worth" } }))).toThrow(BrokenRecord);
});

it("needs a card and a price line with quantities of the scene", () => {
  for (const changes of [{ card: undefined }, { prices: undefined }, { prices: { ...scene.prices, trades: "other" } }, { prices: { ...scene.prices, right: ["P2"] } }, { roles: [1] }])
    expect(() => checkRecord(data(changes))).toThrow(BrokenRecord);
});

it("keeps labels apart, in order and between the ends", () => {
  expect(apart([10, 12, 11], 20, 0, 100)).toEqual([10, 50, 30]);
  expect(apart([99, 98], 20, 0, 100)).toEqual([100, 80]);
});
