import { describe, expect, it } from "vitest";

import { narrowed, narrowings, pieces, searched, told } from "./search";

describe("a search", () => {
  it("is the same after a way through the address", () => {
    const query = new URLSearchParams("text=trust&player=a&player=b&round=3&promise=broken&offset=50");
    const search = searched(query);
    expect(told(search)).toEqual({ text: "trust", experiment: [], player: ["a", "b"], round: 3, game: null, promise: "broken", offset: 50 });
  });
  it("counts its narrowings, and its words apart from them", () => {
    const search = searched(new URLSearchParams("text=trust&player=a&player=b&round=3"));
    expect([narrowings(search), narrowed(search)]).toEqual([2, true]);
    expect(narrowed(searched(new URLSearchParams("text=trust")))).toBe(true);
  });
  it("takes nonsense for nothing", () => {
    const search = searched(new URLSearchParams("round=-1&promise=perhaps&offset=x"));
    expect(search).toMatchObject({ round: null, promise: "any", offset: 0 });
    expect(narrowed(search)).toBe(false);
  });
});

describe("a text in pieces", () => {
  const joined = (text: string, wanted: string) => pieces(text, wanted).map((piece) => (piece.found ? `[${piece.text}]` : piece.text)).join("");

  it("marks every place, whatever the case", () => {
    expect(joined("Trust me, I trust you", "TRUST")).toBe("[Trust] me, I [trust] you");
  });
  it("takes signs of patterns and of markup as they are", () => {
    expect(joined("a.b <b>a.b</b>", "a.b")).toBe("[a.b] <b>[a.b]</b>");
    expect(joined("(((", "((")).toBe("[((](");
  });
  it("is whole where nothing is looked for, or letters change their length", () => {
    expect(joined("abc", "")).toBe("abc");
    expect(joined("İstanbul", "i")).toBe("İstanbul");
  });
});
