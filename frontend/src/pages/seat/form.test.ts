import { expect, test } from "vitest";

import { fieldsOf, hint, type NumberField } from "./form";

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
