// Words and phrases in texts, for a published site, which has no index: all of them have to be there, in any order, by
// their stems as far as cutting usual endings finds them.
const WORDS = /[\p{L}\p{N}]+/gu;
const ENDINGS = /(?:ations?|ings?|edly|ed|ies|es|s|ly|e|y)$/;
const SHORTEST = 3;

/** A word without its usual endings. */
export function stem(word: string): string {
  const small = word.toLowerCase();
  const cut = small.replace(ENDINGS, "");
  return cut.length >= SHORTEST ? cut : small;
}

interface Place {
  stem: string;
  from: number;
  to: number;
}

const placed = (text: string): Place[] => [...text.matchAll(WORDS)].map((found) => ({ stem: stem(found[0]), from: found.index, to: found.index + found[0].length }));

/** What a reader typed, as lists of stems: a word is a list of one, a phrase of several. */
export function termsOf(typed: string): string[][] {
  const phrases = [...typed.matchAll(/["“]([^"”]*)(?:["”]|$)/g)].map((found) => found[1]!);
  const words = typed.replace(/["“][^"”]*(?:["”]|$)/g, " ").split(/\s+/);
  return [...phrases, ...words].map((term) => placed(term).map((one) => one.stem)).filter((stems) => stems.length > 0);
}

/** Where a term stands among the words of a text. */
function places(words: readonly Place[], term: readonly string[]): number[] {
  return words.flatMap((_, at) => (term.every((one, step) => words[at + step]?.stem === one) ? [at] : []));
}

export function holds(text: string, terms: readonly string[][]): boolean {
  if (!terms.length) return true;
  const words = placed(text);
  return terms.every((term) => places(words, term).length > 0);
}

/** A text cut at what was looked for: every second piece is a find. */
export function pieces(text: string, terms: readonly string[][]): string[] {
  const words = placed(text);
  const found = new Set(terms.flatMap((term) => places(words, term).flatMap((at) => term.map((_, step) => at + step))));
  const made: string[] = [];
  let from = 0;
  for (const place of [...found].sort((a, b) => a - b)) {
    const word = words[place]!;
    made.push(text.slice(from, word.from), text.slice(word.from, word.to));
    from = word.to;
  }
  return [...made, text.slice(from)];
}
