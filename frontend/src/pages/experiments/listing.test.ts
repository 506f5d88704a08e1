import { expect, test } from "vitest";

import { listing, listQuery, listWord, isFiltered, parametersOf } from "./listing";

const asked = "text=gpt&player=a&winner=b&outcome=won&highlight=ruin&highlight=comeback&sort=best&direction=up";

test("a list is the same after a way through the address", () => {
  const found = parametersOf(listing(new URLSearchParams(asked)));
  expect(found).toMatchObject({ text: "gpt", player: "a", winner: "b", outcome: "won", highlight: ["ruin", "comeback"], sort: "best", direction: "up" });
});
test("the word of a list leads back to it", () => {
  const query = parametersOf(listing(new URLSearchParams(asked)));
  expect(listQuery(listWord(query, "e 1"))).toEqual({ ...query, experiment: "e 1", game: null });
});
test("an experiment's own list needs no word", () => {
  expect(listWord(parametersOf(listing(new URLSearchParams())), "e")).toBe("");
});
test("nonsense is taken for nothing", () => {
  const found = listing(new URLSearchParams("outcome=perhaps&highlight=nothing&sort=luck&offset=-3"));
  expect(found).toMatchObject({ outcome: "", highlights: [], order: { by: "begun", down: true }, offset: 0 });
  expect(isFiltered(found)).toBe(false);
});
test("an older address that names a state still finds it", () => {
  expect(listing(new URLSearchParams("state=void")).outcome).toBe("void");
});
