import { expect, test } from "vitest";

import { panelsOf } from "./panels";

const panel = (name: string): object => ({
  title: { text: name, subtitle: ["in two", "lines", ""] }, width: 252, layer: [{ data: { name }, mark: "line" }, { data: { name: "shared" }, mark: "rule" }],
});
const CARD = {
  vconcat: [{ hconcat: [panel("a"), panel("b")], spacing: 76 }, { hconcat: [panel("c")] }],
  datasets: { a: [{ x: 1 }], b: [{ x: 2 }], c: [], shared: [{ y: 0 }] },
};

test("a grid is taken apart into panels with their words and their own data", () => {
  const panels = panelsOf(CARD)!;
  expect(panels.map(({ title }) => title)).toEqual(["a", "b", "c"]);
  expect(panels[0]).toEqual({
    title: "a", subtitle: "in two lines",
    spec: { width: 252, layer: CARD.vconcat[0]!.hconcat[0]!["layer" as never], datasets: { a: [{ x: 1 }], shared: [{ y: 0 }] } },
  });
});

test("other charts stay whole", () => {
  expect(panelsOf({ hconcat: [panel("a"), panel("b")] })).toBeNull();
  expect(panelsOf({ layer: [] })).toBeNull();
  expect(panelsOf({ vconcat: [panel("a")] })).toBeNull();
});
