// The shapes that an entry of a list can have, for the eye alone: a shape holds the whole line, sign by sign, and what
// fits none is shown as it is.
export interface Speech {
  kind: "speech";
  who: string;
  /** ' said ' */
  verb: string;
  words: string;
  silent: boolean;
}

/** An amount for each of several names. */
export interface Amounts {
  kind: "amounts";
  label: string;
  each: { name: string; amount: string }[];
}

export interface Words {
  kind: "words";
  text: string;
}

export type Shape = Speech | Amounts | Words;

export const DASH = "- ";
export const BETWEEN = ", ";
const SPEECH = /^(\S{1,40})( said )(".*"|nothing)$/su;
const AMOUNTS = /^([^:"]{1,60}): (\S+ -?[\d.]+(?:, \S+ -?[\d.]+)+)$/u;

/** The shape of an entry, which begins with its dash. */
export function shapeOf(entry: string): Shape {
  const text = entry.slice(DASH.length);
  const shape = speech(text) ?? amounts(text) ?? { kind: "words", text };
  return written(shape) === entry ? shape : { kind: "words", text };
}

/** The entry that a shape holds. */
export function written(shape: Shape): string {
  switch (shape.kind) {
    case "speech":
      return `${DASH}${shape.who}${shape.verb}${shape.words}`;
    case "amounts":
      return `${DASH}${shape.label} ${shape.each.map(({ name, amount }) => `${name} ${amount}`).join(BETWEEN)}`;
    case "words":
      return `${DASH}${shape.text}`;
  }
}

function speech(text: string): Speech | null {
  const [, who, verb, words] = SPEECH.exec(text) ?? [];
  if (who === undefined || verb === undefined || words === undefined) return null;
  return { kind: "speech", who, verb, words, silent: words === "nothing" };
}

function amounts(text: string): Amounts | null {
  const [, label, list] = AMOUNTS.exec(text) ?? [];
  if (label === undefined || list === undefined) return null;
  const each = list.split(BETWEEN).map((one) => {
    const [name = "", amount = ""] = one.split(" ", 2);
    return { name, amount };
  });
  return { kind: "amounts", label: `${label}:`, each };
}
