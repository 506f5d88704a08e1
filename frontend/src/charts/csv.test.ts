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

test("nor is one that begins with a space, a tab or a wide sign; a name that is a number stays it", () => {
  const names = [" =1", "\t=1", "\uff1d1", "@A1", "-1+1", "-3.5", "+1e-5", "a=1"];
  const lines = csvOf({ columns: columns.slice(0, 1), rows: names.map((p) => ({ p })) }).split("\r\n");
  expect(lines.slice(1, -1)).toEqual(["' =1", "'\t=1", "'\uff1d1", "'@A1", "'-1+1", "-3.5", "+1e-5", "a=1"]);
});
