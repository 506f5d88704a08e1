// The words of the pages that people see during a game, in their language. The default is English.
import { ENGLISH, type WordKey } from "./english";

export interface Catalogue {
  /** The language of the page, such as "de". */
  language: string;
  words: Record<string, string>;
}

let catalogue = $state.raw<Catalogue>({ language: "en", words: ENGLISH });

/** Use the words of a catalogue from now on. Words that it lacks stay English. */
export function setWords(next: Catalogue): void {
  const own = Object.entries(next.words).map(([key, text]) => [key.replace(/^participate\./, ""), text]);
  catalogue = { language: next.language, words: { ...ENGLISH, ...Object.fromEntries(own) } };
}

/** Return the language of the words. */
export const language = (): string => catalogue.language;

/** Return the text of a key with its values filled in. A key without a text is returned itself. */
export function word(key: WordKey | (string & {}), values: Record<string, string | number> = {}): string {
  const text = Object.hasOwn(catalogue.words, key) ? catalogue.words[key]! : key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Return the word of a name that comes from the server, such as a field or an option, or `otherwise` if the catalogue
 * has no word for it. A name may end in the label of a seat, as in deduct_P2, which follows the word. */
export function named(family: string, name: string, otherwise = name): string {
  const known = wordOf(family, name);
  if (known !== undefined) return known;
  const [, kind = "", label = ""] = /^(.+)_([^_]+)$/.exec(name) ?? [];
  const word = kind ? wordOf(family, kind) : undefined;
  return word === undefined ? otherwise : `${word} ${label}`;
}

function wordOf(family: string, name: string): string | undefined {
  const key = `${family}_${name.replaceAll(/\W/g, "_").toLowerCase()}`;
  return Object.hasOwn(catalogue.words, key) ? catalogue.words[key] : undefined;
}

/** Return the parts of a text before and after one of its values. */
export function around(key: WordKey | (string & {}), value: string, values: Record<string, string | number> = {}): [string, string] {
  const [before = "", after = ""] = word(key, values).split(`{${value}}`, 2);
  return [before, after];
}
