import { expect, test } from "vitest";

import type { GameListing, ListedGame } from "../api/types";
import { games } from "./lists";

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
