import { expect, test } from "vitest";

import { digest, file, holder, pageFile, request, slug } from "./names";
import type { GameListing, ListedGame } from "../api/types";
import { games } from "./lists";
import { holds, pieces, termsOf } from "./words";

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

const game = (id: string, experiment: string, player: string): ListedGame => ({ id, experiment, key: id, source: null, reason: null, players: [player], state: "finished", winners: [], highlights: [] }) as unknown as ListedGame;
const found = { games: [game("a", "e-1", "m1"), game("b", "e-2", "m2")], total: 2, offset: 0, unread: 0 } as GameListing;
const called = { players: new Map([["m1", "Old Oak"]]), experiments: new Map([["e-1", null], ["e-2", "By the River"]]) };

test.each([
  ["old OAK", ["a"]],
  ["river", ["b"]],
  ["m2 river", ["b"]],
  ["oak river", []],
  ["", ["a", "b"]],
])("games found by %j: names that are shown count as ids do", (text, ids) => {
  expect(games(found, { text }, called).games.map(({ id }) => id)).toEqual(ids);
});

const SAID = "I'll contribute $3, as we all promised.";

test("words are found in any order and by their stems", () => {
  expect(holds(SAID, termsOf("promises contributing"))).toBe(true);
  expect(holds(SAID, termsOf("contribute nothing"))).toBe(false);
  expect(holds(SAID, termsOf(""))).toBe(true);
});
test("a phrase stands as it was said", () => {
  expect(holds(SAID, termsOf('"contribute 3"'))).toBe(true);
  expect(holds(SAID, termsOf('"3 contribute"'))).toBe(false);
});
test("finds are every second piece, and nothing is lost", () => {
  const made = pieces(SAID, termsOf("3 contributing"));
  expect(made.filter((_, place) => place % 2)).toEqual(["contribute", "3"]);
  expect(made.join("")).toBe(SAID);
});
