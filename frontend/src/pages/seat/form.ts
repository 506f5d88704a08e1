// The fields of an answer, with their kinds and bounds, which are read from the server's JSON schema.
import { decimalSign } from "../../lib/format";
import { language, word } from "../../lib/words.svelte";

interface BaseField {
  /** True if the person may pass. Passing is sent as null. */
  passes?: boolean;
  /** If set, the field is asked only if another field has one of these values. */
  askedIf?: { field: string; equals: string[] };
}

export interface NumberField extends BaseField {
  kind: "number";
  name: string;
  whole: boolean;
  low: number;
  high: number;
  /** The step of valid numbers, counted from `from`; null if all numbers between the bounds are valid. */
  step: number | null;
  from: number;
}

export interface ChoiceField extends BaseField {
  kind: "choice";
  name: string;
  options: string[];
}

export interface TextField extends BaseField {
  kind: "text";
  name: string;
  /** The maximum number of words, or null. */
  words: number | null;
  /** True if the field is left out of the answer when it is empty. */
  optional: boolean;
}

/** A target and the amount that is spent on it, or no target and an amount of 0. These are two properties that belong
 * together. */
export interface AimedField extends BaseField {
  kind: "aimed";
  name: string;
  target: ChoiceField;
  spend: NumberField;
}

/** A property for which there is no kind of input. It is entered as JSON. */
export interface RawField extends BaseField {
  kind: "raw";
  name: string;
}

export type Field = NumberField | ChoiceField | TextField | AimedField | RawField;

export const NO_SEAT = "nobody";
/** The option of a choice with which the person passes. */
export const PASS = "pass";
/** The only field that an answer may leave out. */
export const REASONING = "reasoning";

interface Property {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  description?: string;
  title?: string;
  anyOf?: Property[];
  askedIf?: { field: string; equals: string[] };
}

/** Return the fields of a schema, with optional fields last. `lines` are the lines of the form in words. Only these
 * contain steps that a schema cannot express. */
export function fieldsOf(schema: Record<string, unknown>, lines: string[] = []): Field[] {
  const properties = (schema["properties"] ?? {}) as Record<string, Property>;
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (name === "spend" && properties["target"]?.enum) continue;
    const spend = name === "target" ? properties["spend"] : undefined;
    if (spend && property.enum) fields.push(aimed(property, spend));
    else fields.push(field(name, property, lines.find((line) => line.includes(name)) ?? ""));
  }
  return fields.sort((one, other) => Number(isOptional(one)) - Number(isOptional(other)));
}

export const isOptional = (field: Field): boolean => field.kind === "text" && field.optional;

/** Return the properties of a field. */
export const namesOf = (field: Field): string[] => field.kind === "aimed" ? [field.target.name, field.spend.name] : [field.name];

/** Return the valid values as a sentence, which is shown below the input. */
export function hint(field: NumberField): string {
  const kind = field.whole ? "range_whole" : "range_number";
  const range = { low: plain(field.low), high: plain(field.high) };
  if (field.step === null || field.step === 1) return word(kind, range);
  return word(`${kind}_steps`, { ...range, step: plain(field.step) });
}

/** Return a number as people write it, with a true minus sign and without rounding errors. */
export const plain = (value: number): string =>
  String(Number(value.toPrecision(12))).replace("-", "−").replace(".", decimalSign(language()));

function aimed(target: Property, spend: Property): AimedField {
  return { kind: "aimed", name: target.title ?? "aim at", target: choice("target", target), spend: amount("spend", spend, "") };
}

function field(name: string, property: Property, line: string): Field {
  const [inner, other] = property.anyOf ?? [];
  if (!inner || other?.type !== "null") return plainField(name, property, line);
  const of = field(name, inner, line);
  if (property.askedIf) return { ...of, askedIf: property.askedIf };
  return of.kind === "choice" ? { ...of, options: [...of.options, PASS], passes: true } : { ...of, passes: true };
}

function plainField(name: string, property: Property, line: string): Field {
  if (property.enum?.every((option) => typeof option === "string")) return choice(name, property);
  const bounded = property.minimum !== undefined && property.maximum !== undefined;
  if ((property.type === "integer" || property.type === "number") && bounded) return amount(name, property, line);
  if (property.type !== "string") return { kind: "raw", name };
  const words = /at most (\d+) words/.exec(property.description ?? "")?.[1];
  return { kind: "text", name, words: words === undefined ? null : Number(words), optional: name === REASONING };
}

const choice = (name: string, property: Property): ChoiceField => ({ kind: "choice", name, options: (property.enum ?? []).map(String) });

function amount(name: string, property: Property, line: string): NumberField {
  const whole = property.type === "integer";
  const low = property.minimum ?? 0;
  const stated = /in steps of (\d+(?:\.\d+)?)/.exec(line)?.[1];
  const step = property.multipleOf ?? (stated ? Number(stated) : whole ? 1 : null);
  return { kind: "number", name, whole, low, high: property.maximum ?? 0, step, from: stated ? low : 0 };
}
