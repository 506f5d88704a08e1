import { expect, test } from "vitest";

import { ago, clean, count, counted, figure, money, percent, sentence, tally } from "./format";

test("figures have true minus signs, and nought has none", () => {
  expect(figure(-1.5, 1)).toBe("−1.5");
  expect(figure(-0.001, 2)).toBe("0.00");
  expect(figure(1234.5, 1)).toBe("1,234.5");
});

test("money below a cent still shows something", () => {
  expect(money(null)).toBe("–");
  expect(money(0)).toBe("$0.00");
  expect(money(12.345)).toBe("$12.35");
  expect(money(0.000123)).toBe("$0.00012");
});

test("counts and shares read as people write them", () => {
  expect(count(12345)).toBe("12,345");
  expect(counted(1, "game")).toBe("1 game");
  expect(counted(0, "game")).toBe("0 games");
  expect(percent(0)).toBe("0 %");
  expect(percent(0.0344)).toBe("3.4 %");
  expect(sentence("a fund, and more")).toBe("A fund, and more.");
});

test("times are told from now", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  expect(ago("2026-03-01T11:59:50Z", now)).toBe("just now");
  expect(ago("2026-03-01T11:57:00Z", now)).toBe("3 minutes ago");
  expect(ago("2026-02-28T12:00:00Z", now)).toBe("yesterday");
  expect(ago("2025-01-05T12:00:00Z", now)).toBe("5 Jan 2025");
  expect(ago("no time", now)).toBe("no time");
});

test("a title holds no signs that control or turn text, and ends somewhere", () => {
  expect(clean("a\u202eb\u0000c\u2066 \n d")).toBe("a b c d");
  expect(clean("x".repeat(100))).toHaveLength(80);
});

test("a tally keeps the order of first occurrence", () => {
  expect(tally(["b", "a", "b"])).toEqual([{ name: "b", times: 2 }, { name: "a", times: 1 }]);
});
