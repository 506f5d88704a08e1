import { describe, expect, it } from "vitest";

import { narrowed, narrowings, searched, told } from "./search";

describe("a search", () => {
  it("is the same after a way through the address", () => {
    const query = new URLSearchParams("text=trust&player=a&player=b&round=3&promise=broken&sort=newest&around=2&offset=50");
    const search = searched(query);
    expect(told(search)).toEqual({ text: "trust", experiment: [], player: ["a", "b"], round: 3, game: null, promise: "broken", sort: "newest", around: 2, offset: 50 });
  });
  it("counts its narrowings, and its words apart from them", () => {
    const search = searched(new URLSearchParams("text=trust&player=a&player=b&round=3"));
    expect([narrowings(search), narrowed(search)]).toEqual([2, true]);
    expect(narrowed(searched(new URLSearchParams("text=trust")))).toBe(true);
  });
  it("takes nonsense for nothing", () => {
    const search = searched(new URLSearchParams("round=-1&promise=perhaps&sort=luck&around=99&offset=x"));
    expect(search).toMatchObject({ round: null, promise: "any", sort: null, around: 5, offset: 0 });
    expect(narrowed(search)).toBe(false);
  });
});
