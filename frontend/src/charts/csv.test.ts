import { expect, test } from "vitest";

import { csvOf } from "./csv";

const columns = [{ title: "player", field: "p", format: null }, { title: "mean, tokens", field: "m", format: ".1f" }];

test("figures are whole, and signs of the format are quoted", () => {
  const rows = [{ p: 'a "b"', m: 1 / 3 }, { p: "c,d\n", m: null }];
  expect(csvOf({ columns, rows })).toBe('player,"mean, tokens"\r\n"a ""b""",0.3333333333333333\r\n"c,d\n",\r\n');
});

test("a name is never a formula, and a negative number stays a number", () => {
  expect(csvOf({ columns, rows: [{ p: "=1+1", m: -2 }] })).toBe("player,\"mean, tokens\"\r\n'=1+1,-2\r\n");
});
