import { expect, test } from "vitest";

import { adjacentByNumber, adjacentInList } from "./beside";
import { pageOf } from "./standalone";

test("a game in the middle has one on each side", () => {
  expect(adjacentByNumber("punish-1.3", "punish-1", 5)).toEqual({ number: 3, before: "punish-1.2", after: "punish-1.4" });
});
test("the ends have one", () => {
  expect(adjacentByNumber("e.1", "e", 2)).toMatchObject({ before: null, after: "e.2" });
  expect(adjacentByNumber("e.2", "e", 2)).toMatchObject({ before: "e.1", after: null });
});
test("an id of another form has none", () => {
  expect(adjacentByNumber("f.1", "e", 2)).toBeNull();
  expect(adjacentByNumber("e.x", "e", 2)).toBeNull();
});
test("in a list a game has those that stand around it", () => {
  expect(adjacentInList("b", ["a", "b", "c"])).toEqual({ number: 2, total: 3, before: "a", after: "c" });
  expect(adjacentInList("x", ["a"])).toEqual({ number: 0, total: 1, before: null, after: null });
});

const VIEWER = '<body><script id="game" type="application/json">null</script><script>1</script></body>';

test("a record lies in the viewer as data, whatever it says", () => {
  const record = { text: "</script><script>alert(1)</script> & $& null" };
  const page = pageOf(VIEWER, JSON.stringify(record));
  const inside = /json">([^<]*)<\/script><script>1/.exec(page)?.[1];
  expect(JSON.parse(inside!)).toEqual(record);
  expect(page.match(/<script/g)).toHaveLength(2);
});

test("a viewer without a place for a game is refused", () => {
  expect(() => pageOf("<body></body>", "{}")).toThrow("another version");
});

test("a number that this language would round is kept as it was written", () => {
  expect(pageOf(VIEWER, '{"seed":12345678901234567890}')).toContain('{"seed":12345678901234567890}');
});
