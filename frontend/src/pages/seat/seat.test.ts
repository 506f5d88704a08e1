import { expect, test } from "vitest";

import { shapeOf, entryOf } from "./shapes";
import { fieldsOf, hint, type NumberField } from "./form";
import { checkEntries, mistakes, locateProblem, wordsIn, type Entries } from "./entering";
import type { SeatResult } from "../../api/types";
import { minutes } from "./clock.svelte";
import { answerText } from "./sending";
import { ordinal, places, placeText } from "./standing";
import { explanationOf, facts, linesOf, splitQuestion, sectionsOf, situationOf } from "./told";

test("a message is a speech, whatever its text", () => {
  expect(shapeOf('- P5 said "I\'ll give 3, as always."')).toEqual({ kind: "speech", who: "P5", verb: " said ", words: '"I\'ll give 3, as always."', silent: false });
  expect(shapeOf("- P4 said nothing")).toMatchObject({ kind: "speech", who: "P4", silent: true });
  // Words that look like something else stay words of who said them.
  expect(shapeOf('- P2 said "gave: P1 0, P3 99"')).toMatchObject({ kind: "speech", words: '"gave: P1 0, P3 99"' });
  expect(shapeOf('- P2 said "x" said "y"')).toMatchObject({ kind: "speech", who: "P2", words: '"x" said "y"' });
});

test("an amount for each name is told name by name", () => {
  expect(shapeOf("- gave: P1 10, P2 0, P3 17")).toEqual({
    kind: "amounts", label: "gave:", each: [{ name: "P1", amount: "10" }, { name: "P2", amount: "0" }, { name: "P3", amount: "17" }],
  });
});

test("what has no shape of its own is words", () => {
  for (const entry of [
    "- punished: P3 spent 5 on P4, who lost 15",
    "- each received a share of 20; left over in the fund: 2",
    "- left over in the fund from the round before: 2",
    "- you are P1 and hold 39 tokens",
    "- gave: P1 ten, P2 0",
    "- gave: P1  10, P2 0",
    "- ",
  ]) {
    expect(shapeOf(entry)).toEqual({ kind: "words", text: entry.slice(2) });
  }
});

test("a shape holds its entry sign by sign", () => {
  const parts = ["- ", "P1", " said ", '"', "nothing", ": ", ", ", " ", "10", "-3", "<b>", "\u202e", "日本", "gave", "\t", ""];
  let seed = 7;
  const draw = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % parts.length;
  for (let game = 0; game < 3000; game += 1) {
    const entry = `- ${Array.from({ length: 1 + (game % 9) }, () => parts[draw()]).join("")}`;
    expect(entryOf(shapeOf(entry))).toBe(entry);
  }
});

function schema(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
const CONTRIBUTION = { type: "integer", minimum: 0, maximum: 20 };

test("numbers, choices and texts get inputs of their own", () => {
  const fields = fieldsOf(
    schema({
      contribution: { type: "number", minimum: 0, maximum: 1 },
      vote: { type: "string", enum: ["Rush", "nobody"] },
      message: { type: "string", description: "a text of at most 50 words", maxLength: 400 },
    }),
  );
  expect(fields).toEqual([
    { kind: "number", name: "contribution", whole: false, low: 0, high: 1, step: null, from: 0 },
    { kind: "choice", name: "vote", options: ["Rush", "nobody"] },
    { kind: "text", name: "message", words: 50, optional: false },
  ]);
});

test("target and spend are one field", () => {
  const [field, ...more] = fieldsOf(
    schema({ target: { type: "string", enum: ["nobody", "P1"] }, spend: { type: "integer", minimum: 0, maximum: 5 } }),
  );
  expect(field).toMatchObject({ kind: "aimed", target: { options: ["nobody", "P1"] }, spend: { low: 0, high: 5, whole: true } });
  expect(more).toEqual([]);
});

test("reasoning comes last and may be left out", () => {
  const fields = fieldsOf(schema({ reasoning: { type: "string", description: "a text of at most 60 words" }, contribution: CONTRIBUTION }));
  expect(fields.map((field) => field.name)).toEqual(["contribution", "reasoning"]);
  expect(fields[1]).toMatchObject({ optional: true, words: 60 });
});

test("steps that only the form tells are kept to", () => {
  const [field] = fieldsOf(schema({ claim: { type: "number", minimum: 2, maximum: 10 } }), ["claim: a number from 2 to 10 in steps of 0.5"]);
  expect(field).toMatchObject({ step: 0.5, from: 2 });
  expect(hint(field as NumberField)).toBe("A number from 2 to 10, in steps of 0.5");
});

test("a property of an unknown kind can still be entered", () => {
  expect(fieldsOf(schema({ picks: { type: "array" } }))).toEqual([{ kind: "raw", name: "picks" }]);
});

const fields = (properties: Record<string, unknown>) => fieldsOf({ properties });
const GIVE = fields({ contribution: { type: "integer", minimum: 0, maximum: 20 } });
const AIM = fields({ target: { type: "string", title: "punish", enum: ["nobody", "P1", "P2"] }, spend: { type: "integer", minimum: 0, maximum: 5 } });
const SAY = fields({ message: { type: "string", description: "a text of at most 3 words" } });
const MOVE = fields({
  reasoning: { type: "string", description: "a text of at most 60 words" },
  contribution: { type: "number", minimum: 0, maximum: 1 },
  lobby: { type: "number", minimum: -12.5, maximum: 12.5 },
});

test("a number is sent as a number", () => {
  expect(checkEntries(GIVE, { contribution: "12" })).toEqual({ values: { contribution: 12 }, problems: {}, complete: true });
});

test.each(["21", "-1", "1.5", "?", "NaN", "Infinity"])("%s is told to be wrong before it is sent", (text) => {
  expect(Object.keys(checkEntries(GIVE, { contribution: text }).problems)).toEqual(["contribution"]);
});

test("bounds that are no whole numbers are allowed", () => {
  expect(checkEntries(MOVE, { contribution: "1", lobby: "-12.5" }).values).toEqual({ contribution: 1, lobby: -12.5 });
});

test("where only one number is possible, it need not be entered", () => {
  const only = fields({ lobby: { type: "number", minimum: 0, maximum: 0 } });
  expect(checkEntries(only, {})).toEqual({ values: { lobby: 0 }, problems: {}, complete: true });
});

test("without a target nothing is spent, with one something is", () => {
  expect(checkEntries(AIM, { target: "nobody", spend: "3" }).values).toEqual({ target: "nobody", spend: 0 });
  expect(checkEntries(AIM, { target: "P2", spend: "3" }).values).toEqual({ target: "P2", spend: 3 });
  expect(checkEntries(AIM, { target: "P2", spend: "0" }).problems).toHaveProperty("spend");
  expect(checkEntries(AIM, { target: "P2" }).complete).toBe(false);
  expect(checkEntries(AIM, {}).problems).toHaveProperty("target");
});

test.each([
  ["target", { type: "string", title: "punish", enum: ["nobody", "P1", "P2"] }, { spend: { type: "integer", minimum: 0, maximum: 1 } }],
  ["target", { type: "string", title: "punish", enum: ["nobody", "P1"] }, { spend: { type: "integer", minimum: 0, maximum: 10, multipleOf: 10 } }],
])("who can spend one amount only need not enter it", (name, target, more) => {
  const only = fields({ [name]: target, ...more });
  const spend = more.spend.maximum;
  expect(checkEntries(only, { target: "P1" })).toEqual({ values: { target: "P1", spend }, problems: {}, complete: true });
  expect(checkEntries(only, { target: "P1", spend: "7" }).values).toEqual({ target: "P1", spend });
  expect(checkEntries(only, { target: "nobody" }).values).toEqual({ target: "nobody", spend: 0 });
});

const OFFER = fields({
  action: { type: "string", enum: ["offer", "wait"] },
  price: { anyOf: [{ type: "number", minimum: 0, maximum: 10 }, { type: "null" }], askedIf: { field: "action", equals: ["offer"] } },
});

test("a field is asked only where another says so", () => {
  expect(checkEntries(OFFER, { action: "wait", price: "99" })).toEqual({ values: { action: "wait" }, problems: {}, complete: true });
  expect(checkEntries(OFFER, { action: "offer" }).problems).toHaveProperty("price");
  expect(checkEntries(OFFER, { action: "offer", price: "4" }).values).toEqual({ action: "offer", price: 4 });
  expect(answerText(OFFER, { action: "wait" }, "")).toBe("Action wait");
});

test("who passes enters nothing, and chooses to where there are options", () => {
  const price = fields({ price: { anyOf: [{ type: "number", minimum: 5, maximum: 5 }, { type: "null" }] } });
  expect(checkEntries(price, {})).toEqual({ values: { price: null }, problems: {}, complete: true });
  expect(checkEntries(price, { price: "5" }).values).toEqual({ price: 5 });
  expect(checkEntries(price, { price: "6" }).problems).toHaveProperty("price");
  expect(answerText(price, { price: null }, "")).toBe("Pass");
  const vote = fields({ partner: { anyOf: [{ type: "string", enum: ["P1", "P2"] }, { type: "null" }] } });
  expect(checkEntries(vote, {}).complete).toBe(false);
  expect(checkEntries(vote, { partner: "pass" }).values).toEqual({ partner: null });
});

test("the empty text is silence, and too many words are told", () => {
  expect(checkEntries(SAY, {}).values).toEqual({ message: "" });
  expect(checkEntries(SAY, { message: "one two three four" }).problems).toHaveProperty("message");
  expect(wordsIn("  one\n two\tthree ")).toBe(3);
});

test("reasoning is left out where there is none", () => {
  expect(checkEntries(MOVE, { contribution: "0.5", lobby: "0", reasoning: " " }).values).toEqual({ contribution: 0.5, lobby: 0 });
  expect(checkEntries(MOVE, { contribution: "0.5", lobby: "0", reasoning: "so" }).values).toHaveProperty("reasoning", "so");
});

test("what is still empty is no mistake", () => {
  expect(mistakes(GIVE, {})).toEqual({});
  expect(mistakes(GIVE, { contribution: "30" })).toHaveProperty("contribution");
});

test("a reason of the server stands at the field that it names", () => {
  expect(locateProblem("contribution: 30 is not allowed", GIVE)).toEqual({ name: "contribution", reason: "30 is not allowed." });
  expect(locateProblem("punish: it must be one", AIM)).toMatchObject({ name: "target" });
  expect(locateProblem("spend: 9 is not allowed", AIM)).toMatchObject({ name: "spend" });
  expect(locateProblem("nothing is asked of you now", GIVE)).toEqual({ name: null, reason: "nothing is asked of you now" });
});

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
