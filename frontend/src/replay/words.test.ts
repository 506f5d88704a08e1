import { expect, test } from "vitest";

import type { Quantity } from "./scene";
import { formatQuantity } from "./words";

const money = { digits: 2 } as Quantity;

test.each([
  [-0.001, "0.00"],
  [-0, "0.00"],
  [-0.005001, "−0.01"],
  [-1234.5, "−1,234.50"],
  [-Infinity, "−∞"],
])("%s is shown as %s", (value, text) => {
  expect(formatQuantity(money, value)).toBe(text);
});
test("what is rounded to nothing has the sign of nothing", () => {
  const gain = { digits: 0, signed: true } as Quantity;
  expect([-0.2, 0, 0.2, -2].map((value) => formatQuantity(gain, value))).toEqual(["+0", "+0", "+0", "−2"]);
  expect(formatQuantity(undefined, -0.001)).toBe("0");
});
