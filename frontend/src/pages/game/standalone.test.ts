import { expect, test } from "vitest";

import { pageOf } from "./standalone";

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
