// The fields of an answer, read from the JSON schema that the server sends: what can be entered, and between which bounds.
export interface NumberField {
  kind: "number";
  name: string;
  whole: boolean;
  low: number;
  high: number;
  /** What every answer must be a multiple of, counted from `from`; null where any number between the bounds will do. */
  step: number | null;
  from: number;
}

export interface ChoiceField {
  kind: "choice";
  name: string;
  options: string[];
}

export interface TextField {
  kind: "text";
  name: string;
  /** How many words it may have at most; null where that is not said. */
  words: number | null;
  /** Left out of the answer where nothing is entered. */
  optional: boolean;
}

/** Somebody and an amount spent on them, or nobody and 0: two properties that belong together. */
export interface AimedField {
  kind: "aimed";
  name: string;
  target: ChoiceField;
  spend: NumberField;
}

/** A property of a kind that has no input of its own: it is entered as JSON. */
export interface RawField {
  kind: "raw";
  name: string;
}

export type Field = NumberField | ChoiceField | TextField | AimedField | RawField;

export const NOBODY = "nobody";
/** The one field that an answer may leave out. */
export const REASONING = "reasoning";

interface Property {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  description?: string;
  title?: string;
}

/** The fields of a schema, in the order in which a person decides: what may be left out comes last. `lines` are the
 * lines of the form in words; steps that no schema can hold are told there alone. */
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

/** The properties that a field fills. */
export const namesOf = (field: Field): string[] => field.kind === "aimed" ? [field.target.name, field.spend.name] : [field.name];

/** What would be right, as a sentence under the input. */
export function hint(field: NumberField): string {
  const kind = field.whole ? "A whole number" : "A number";
  const steps = field.step === null || field.step === 1 ? "" : `, in steps of ${plain(field.step)}`;
  return `${kind} from ${plain(field.low)} to ${plain(field.high)}${steps}`;
}

/** A number as people write it: a true minus, no rounding error. */
export const plain = (value: number): string => String(Number(value.toPrecision(12))).replace("-", "−");

function aimed(target: Property, spend: Property): AimedField {
  return { kind: "aimed", name: target.title ?? "aim at", target: choice("target", target), spend: amount("spend", spend, "") };
}

function field(name: string, property: Property, line: string): Field {
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
  const told = /in steps of (\d+(?:\.\d+)?)/.exec(line)?.[1];
  const step = property.multipleOf ?? (told ? Number(told) : whole ? 1 : null);
  return { kind: "number", name, whole, low, high: property.maximum ?? 0, step, from: told ? low : 0 };
}
