import { describe, expect, test } from "vitest";

import { findPages, matches } from "./matches";

describe("the search for everything", () => {
  test("finds all words in any order, without case, accents and signs", () => {
    expect(matches("r1 deepseek", "DeepSeek-R1")).toBe(true);
    expect(matches("garcia", "García")).toBe(true);
    expect(matches("gpt-4.5", "GPT-4.5 Preview")).toBe(true);
    expect(matches("gpt 5", "GPT-4.0 Preview")).toBe(false);
  });
  test("finds nothing without words", () => {
    expect(matches("", "anything")).toBe(false);
    expect(matches(" - ", "anything")).toBe(false);
  });
  test("finds pages by their subject and boards by their game", () => {
    const studies = [{ kind: "punish", title: "Contribute & Punish" }];
    expect(findPages("promises", studies).map(({ title }) => title)).toEqual(["Messages"]);
    expect(findPages("contribute", studies)).toEqual([{ title: "Contribute & Punish", href: "#/compare?kind=punish", about: "leaderboard and charts" }]);
    expect(findPages("", studies).length).toBeGreaterThan(8);
  });
});
