// Check a person's input, which is still text, and return the values of an answer or the problems. The server checks
// the answer again; this check only avoids a request.
import { sentence } from "../../lib/format";
import { word } from "../../lib/words.svelte";
import { hint, isOptional, namesOf, NO_SEAT, PASS, plain, type AimedField, type Field, type NumberField } from "./form";

/** The texts of the inputs, by property. */
export type Entries = Record<string, string>;
/** The problems of the inputs, by property. */
export type Problems = Record<string, string>;

export interface CheckResult {
  values: Record<string, unknown>;
  problems: Problems;
  /** True if all required fields are filled in, even with invalid values. */
  complete: boolean;
}

const ROUNDING_ERROR = 1e-6;

export function checkEntries(fields: Field[], entries: Entries): CheckResult {
  const values: Record<string, unknown> = {};
  const problems: Problems = {};
  let complete = true;
  for (const field of fields) {
    if (!isAsked(field, fields, entries)) continue;
    if (field.passes && (entries[field.name] ?? "").trim() === (field.kind === "choice" ? PASS : "")) {
      values[field.name] = null;
      continue;
    }
    const missing = missingIn(field, entries);
    if (missing) {
      problems[missing.name] = missing.reason;
      complete = false;
      continue;
    }
    enter(field, entries, values, problems);
  }
  return { values, problems, complete };
}

/** True if a field is asked. If it depends on another field, that field must be asked and have one of the values for
 * which this field is asked. */
export function isAsked(field: Field, fields: Field[], entries: Entries): boolean {
  const condition = field.askedIf;
  if (!condition) return true;
  const other = fields.find((one) => one.name === condition.field);
  return other !== undefined && isAsked(other, fields, entries) && condition.equals.includes(entries[condition.field] ?? "");
}

/** Return the problems of filled-in fields. Empty fields are not mistakes. */
export function mistakes(fields: Field[], entries: Entries): Problems {
  const { problems } = checkEntries(fields, entries);
  return Object.fromEntries(Object.entries(problems).filter(([name]) => (entries[name] ?? "") !== ""));
}

/** Return the number of words, counted as the rules count them. */
export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Return the property to which a problem from the server belongs: 'contribution: 30 is not allowed; …'. */
export function locateProblem(reason: string, fields: Field[]): { name: string | null; reason: string } {
  const names = fields.flatMap((field) => [field.name, ...namesOf(field)]);
  const name = names.find((one) => reason.startsWith(`${one}: `));
  if (name === undefined) return { name: null, reason };
  const text = reason.slice(name.length + 2);
  const known = fields.find((field) => field.name === name);
  return { name: known?.kind === "aimed" ? known.target.name : name, reason: sentence(text) };
}

function missingIn(field: Field, entries: Entries): { name: string; reason: string } | null {
  const empty = (name: string) => (entries[name] ?? "").trim() === "";
  switch (field.kind) {
    case "text":
      return null; // An empty text is an answer: silence.
    case "aimed":
      if (empty(field.target.name)) return { name: field.target.name, reason: word("problem_choose_target") };
      if (entries[field.target.name] !== NO_SEAT && empty(field.spend.name) && !isFixed(spendOf(field))) {
        return { name: field.spend.name, reason: word("problem_how_much", { range: spendHint(field) }) };
      }
      return null;
    case "choice":
      return empty(field.name) ? { name: field.name, reason: word("problem_choose") } : null;
    case "number":
      return empty(field.name) && !isFixed(field) ? { name: field.name, reason: word("problem_enter_number", { range: hint(field) }) } : null;
    case "raw":
      return empty(field.name) ? { name: field.name, reason: word("problem_enter_value") } : null;
  }
}

function enter(field: Field, entries: Entries, values: Record<string, unknown>, problems: Problems): void {
  const text = entries[field.name] ?? "";
  switch (field.kind) {
    case "number": {
      const reason = isFixed(field) ? null : rangeProblem(field, text);
      if (reason) problems[field.name] = reason;
      else values[field.name] = isFixed(field) ? field.low : Number(text);
      return;
    }
    case "choice":
      if (field.options.includes(text)) values[field.name] = text;
      else problems[field.name] = word("problem_not_listed");
      return;
    case "text": {
      const words = wordsIn(text);
      if (field.words !== null && words > field.words) {
        problems[field.name] = word("problem_too_long", { number: words, most: field.words });
      } else if (!isOptional(field) || text.trim()) values[field.name] = text;
      return;
    }
    case "aimed":
      aim(field, entries, values, problems);
      return;
    case "raw":
      try {
        values[field.name] = JSON.parse(text);
      } catch {
        problems[field.name] = word("problem_not_json");
      }
  }
}

function aim(field: AimedField, entries: Entries, values: Record<string, unknown>, problems: Problems): void {
  const target = entries[field.target.name] ?? "";
  if (!field.target.options.includes(target)) {
    problems[field.target.name] = word("problem_not_listed");
  } else if (target === NO_SEAT) {
    values[field.target.name] = target;
    values[field.spend.name] = 0;
  } else {
    const spend = spendOf(field);
    // If only one amount is possible, the page has no input for it, and an earlier entry does not count.
    const text = isFixed(spend) ? String(spend.low) : (entries[field.spend.name] ?? "");
    const reason = rangeProblem(spend, text);
    if (reason) problems[field.spend.name] = reason;
    else {
      values[field.target.name] = target;
      values[field.spend.name] = Number(text);
    }
  }
}

/** True if only one number is possible. */
export const isFixed = (field: NumberField): boolean => field.low === field.high && !field.passes;

/** Return the field of the amount if there is a target. The amount must then not be 0. */
export const spendOf = (field: AimedField): NumberField => ({ ...field.spend, low: field.spend.step ?? 1 });

const spendHint = (field: AimedField): string => hint(spendOf(field));

function rangeProblem(field: NumberField, text: string): string | null {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return word("problem_not_number", { range: hint(field) });
  if (value < field.low || value > field.high) return word("problem_out_of_range", { value: plain(value), range: hint(field) });
  if (field.whole && !Number.isInteger(value)) return word("problem_not_whole", { value: plain(value), range: hint(field) });
  if (field.step !== null) {
    const steps = (value - field.from) / field.step;
    if (Math.abs(steps - Math.round(steps)) > ROUNDING_ERROR) return word("problem_between_steps", { value: plain(value), range: hint(field) });
  }
  return null;
}
