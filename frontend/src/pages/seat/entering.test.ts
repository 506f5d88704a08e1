import { expect, test } from "vitest";

import { checkEntries, mistakes, locateProblem, wordsIn } from "./entering";
import { fieldsOf } from "./form";

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
