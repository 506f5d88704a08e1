// The shapes in which entries of a list are drawn. A shape contains the complete line. Entries that fit no shape are
// shown as text.
export interface Speech {
  kind: "speech";
  who: string;
  /** The words between the speaker and the message, such as ' said '. */
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
export const SEPARATOR = ", ";
// The verbs and silences of the languages in which games have texts.
const SILENCES = ["nothing", "nichts"];
const SPEECH = /^(\S{1,40})( said | schrieb )(".*"|nothing|nichts)$/su;
const AMOUNTS = /^([^:"]{1,60}): (\S+ -?[\d.]+(?:, \S+ -?[\d.]+)+)$/u;

/** Return the shape of an entry. The entry begins with its dash. */
export function shapeOf(entry: string): Shape {
  const text = entry.slice(DASH.length);
  const shape = speech(text) ?? amounts(text) ?? { kind: "words", text };
  return entryOf(shape) === entry ? shape : { kind: "words", text };
}

/** Return the entry that has a shape. */
export function entryOf(shape: Shape): string {
  switch (shape.kind) {
    case "speech":
      return `${DASH}${shape.who}${shape.verb}${shape.words}`;
    case "amounts":
      return `${DASH}${shape.label} ${shape.each.map(({ name, amount }) => `${name} ${amount}`).join(SEPARATOR)}`;
    case "words":
      return `${DASH}${shape.text}`;
  }
}

function speech(text: string): Speech | null {
  const [, who, verb, words] = SPEECH.exec(text) ?? [];
  if (who === undefined || verb === undefined || words === undefined) return null;
  return { kind: "speech", who, verb, words, silent: SILENCES.includes(words) };
}

function amounts(text: string): Amounts | null {
  const [, label, list] = AMOUNTS.exec(text) ?? [];
  if (label === undefined || list === undefined) return null;
  const each = list.split(SEPARATOR).map((one) => {
    const [name = "", amount = ""] = one.split(" ", 2);
    return { name, amount };
  });
  return { kind: "amounts", label: `${label}:`, each };
}
