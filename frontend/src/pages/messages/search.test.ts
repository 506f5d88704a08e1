import { describe, expect, it } from "vitest";

import { isFiltered, filterCount, searchOf, parametersOf } from "./search";

describe("a search", () => {
  it("is the same after a way through the address", () => {
    const query = new URLSearchParams("text=trust&player=a&player=b&round=3&promise=broken&sort=newest&around=2&offset=50");
    const search = searchOf(query);
    expect(parametersOf(search)).toEqual({ text: "trust", experiment: [], player: ["a", "b"], round: 3, game: null, promise: "broken", sort: "newest", around: 2, offset: 50 });
  });
  it("counts its narrowings, and its words apart from them", () => {
    const search = searchOf(new URLSearchParams("text=trust&player=a&player=b&round=3"));
    expect([filterCount(search), isFiltered(search)]).toEqual([2, true]);
    expect(isFiltered(searchOf(new URLSearchParams("text=trust")))).toBe(true);
  });
  it("takes nonsense for nothing", () => {
    const search = searchOf(new URLSearchParams("round=-1&promise=perhaps&sort=luck&around=99&offset=x"));
    expect(search).toMatchObject({ round: null, promise: "any", sort: null, around: 5, offset: 0 });
    expect(isFiltered(search)).toBe(false);
  });
});
