import { expect, test } from "vitest";

import { digest, file, holder, pageFile, request, slug } from "./names";

// tests/web/test_publish.py holds the writer to the same values.
test("a request has the name under which the publisher wrote its answer", () => {
  expect(digest("")).toBe("cbf29ce484222325");
  expect(digest("a")).toBe("af63dc4c8601ec8c");
  expect(digest("ü 漢 \ud83d")).toBe("420d789fb36a43db");
  expect(request("/scores/a%2Fb", { kind: "x y", experiment: ["2", "1"], player: null })).toBe("/scores/a/b\nexperiment=1\nexperiment=2\nkind=x y");
  expect(file(request("/charts/mean_final", { kind: "punish" }))).toBe(`./data/charts/${digest("/charts/mean_final\nkind=punish")}.js`);
});

test("a game and its record lie together, and so do all courses", () => {
  expect(holder("/games/p.1/record")).toBe("/games/p.1");
  expect(holder("/games/p.1")).toBe("/games/p.1");
  expect(holder("/games/p.1/course")).toBe("/courses");
  expect(holder("/games")).toBe("/games");
});

test("names make addresses that can be read", () => {
  expect(slug("gpt-4.5")).toBe("gpt-4.5");
  expect(slug("Tit for Tat")).toBe("tit-for-tat-a3248006");
  expect(slug("../../x")).toBe("x-0e455557");
});

test.each([
  ["", "index.html"],
  ["messages", "messages.html"],
  ["games/punish-1.1", "games/punish-1.1.html"],
  ["games/punish-1.1/beside/punish-1.2", "games/punish-1.1.html"],
  ["experiments/e/openings/3", "experiments/e.html"],
  ["compare", "compare/punish.html"],
])("the page to share of #/%s is %s", (path, page) => {
  expect(pageFile(path.split("/"), new URLSearchParams("kind=punish"))).toBe(page);
});
