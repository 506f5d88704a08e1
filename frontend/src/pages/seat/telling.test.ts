import { expect, test } from "vitest";

import type { SeatResult } from "../../api/types";
import { minutes } from "./clock.svelte";
import { checkEntries, type Entries } from "./entering";
import { fieldsOf } from "./form";
import { answerText } from "./sending";
import { ordinal, places, placeText } from "./standing";
import { explanationOf, facts, linesOf, splitQuestion, sectionsOf, situationOf } from "./told";

function button(properties: Record<string, unknown>, entries: Entries, unit: string): string {
  const fields = fieldsOf({ properties });
  return answerText(fields, checkEntries(fields, entries).values, unit);
}

test("the button tells what is sent", () => {
  const give = { contribution: { type: "integer", minimum: 0, maximum: 20 } };
  expect(button(give, { contribution: "12" }, "tokens")).toBe("Contribute 12 tokens");
  expect(button(give, { contribution: "1" }, "tokens")).toBe("Contribute 1 token");
  expect(button(give, { contribution: "12" }, "dollars")).toBe("Contribute 12 dollars");
  const aim = { target: { type: "string", title: "punish", enum: ["nobody", "P3"] }, spend: { type: "integer", minimum: 0, maximum: 5 } };
  expect(button(aim, { target: "P3", spend: "2" }, "tokens")).toBe("Punish P3 with 2 tokens");
  expect(button(aim, { target: "nobody" }, "tokens")).toBe("Punish nobody");
  const say = { message: { type: "string", description: "a text of at most 50 words" } };
  expect(button(say, { message: "hello" }, "tokens")).toBe("Say this to everyone");
  expect(button(say, { message: "" }, "tokens")).toBe("Stay silent");
});

test("the button tells all of a move in the Commons", () => {
  const move = {
    reasoning: { type: "string", description: "a text of at most 60 words" },
    contribution: { type: "number", minimum: 0, maximum: 1 },
    lobby: { type: "number", minimum: -50, maximum: 50 },
    vote: { type: "string", enum: ["Rush", "nobody"] },
  };
  expect(button(move, { contribution: "0.57", lobby: "-3", vote: "Rush" }, "tokens")).toBe(
    "Contribute 57 %, lobby down with 3 tokens, vote to exclude Rush",
  );
});

test("the lines shown are the text, word for word", () => {
  const text = "Round 1\n- P1 gave 3\n\nNow: round 2\n- you hold 5\n\nHow much?";
  expect(linesOf(text).map((line) => line.text).join("\n")).toBe(text);
  expect(linesOf(text).map((line) => line.role)).toEqual(["heading", "entry", "plain", "heading", "entry", "plain", "plain"]);
  const { situation, asked } = splitQuestion(text);
  expect(`${situation}\n\n${asked}`).toBe(text);
  expect(asked).toBe("How much?");
});

test("the present is set apart from what was before, and no line is lost", () => {
  const text = "The rounds so far:\nRound 1\n- P1 gave 3\nRound 2\n- P1 gave 4\n- P2 gave 5\n\nNow: round 3\n- you hold 5";
  const { before, now } = situationOf(text);
  expect(before.map((section) => section.heading?.text ?? null)).toEqual([null, "Round 1", "Round 2", null]);
  expect(now).toMatchObject({ heading: { text: "Now: round 3" }, lines: [{ text: "- you hold 5" }] });
  const lines = sectionsOf(linesOf(text)).flatMap((section) => [...(section.heading ? [section.heading] : []), ...section.lines]);
  expect(lines.map((line) => line.text).join("\n")).toBe(text);
});

test("a text without a present is all before", () => {
  const text = "You decide:\n- turn 1\n- turn 2\n\nA: take\nB: pass";
  expect(situationOf(text)).toEqual({ before: [{ heading: null, lines: linesOf(text) }], now: null });
});

test("only an object of JSON is read as facts", () => {
  expect(facts('{"turn":3,"you":"Rush"}')).toEqual([["turn", 3], ["you", "Rush"]]);
  expect(facts("{not json}")).toBeNull();
  expect(facts("[1]")).toBeNull();
});

test("an option is explained by its line", () => {
  expect(explanationOf("You choose now:\nK: take it\nT: pass", "K")).toBe("take it");
  expect(explanationOf("You choose now", "K")).toBe("");
});

function result(...ranks: number[]): SeatResult {
  const standings = ranks.map((rank, seat) => ({ seat, label: `P${seat + 1}`, player: "x", final: 100 - 10 * rank, rank, you: seat === 1 }));
  return { unit: "tokens", standings, columns: [], story: [] };
}

test("the place is told in words, and a tie as a tie", () => {
  expect(placeText(result(1, 2, 3))).toBe("You came 2nd of 3 with 80 tokens.");
  expect(placeText(result(1.5, 1.5, 3))).toBe("You tied for 1st of 3 with 85 tokens.");
  expect(places(result(1, 2.5, 2.5, 4))).toEqual([1, 2, 2, 4]);
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal)).toEqual(
    ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"],
  );
});

test("time is told in minutes and seconds", () => {
  expect([0, 9, 65, 300, 3661].map(minutes)).toEqual(["0:00", "0:09", "1:05", "5:00", "1:01:01"]);
});
