// Search for words and phrases in texts, for a published site, which has no index. All words and phrases must occur, in
// any order. Words are compared by simple stems.
const WORDS = /[\p{L}\p{N}]+/gu;
const ENDINGS = /(?:ations?|ings?|edly|ed|ies|es|s|ly|e|y)$/;
const MIN_STEM = 3;

/** Return a word without its usual endings. */
export function stem(word: string): string {
  const small = word.toLowerCase();
  const cut = small.replace(ENDINGS, "");
  return cut.length >= MIN_STEM ? cut : small;
}

interface Place {
  stem: string;
  from: number;
  to: number;
}

const wordsIn = (text: string): Place[] => [...text.matchAll(WORDS)].map((found) => ({ stem: stem(found[0]), from: found.index, to: found.index + found[0].length }));

/** Return the terms of a search as lists of stems: one stem for a word, several for a phrase. */
export function termsOf(typed: string): string[][] {
  const phrases = [...typed.matchAll(/["“]([^"”]*)(?:["”]|$)/g)].map((found) => found[1]!);
  const words = typed.replace(/["“][^"”]*(?:["”]|$)/g, " ").split(/\s+/);
  return [...phrases, ...words].map((term) => wordsIn(term).map((one) => one.stem)).filter((stems) => stems.length > 0);
}

/** Return the positions of a term among the words of a text. */
function places(words: readonly Place[], term: readonly string[]): number[] {
  return words.flatMap((_, at) => (term.every((one, step) => words[at + step]?.stem === one) ? [at] : []));
}

export function holds(text: string, terms: readonly string[][]): boolean {
  if (!terms.length) return true;
  const words = wordsIn(text);
  return terms.every((term) => places(words, term).length > 0);
}

/** Return a text split at the matches. Every second piece is a match. */
export function pieces(text: string, terms: readonly string[][]): string[] {
  const words = wordsIn(text);
  const matches = new Set(terms.flatMap((term) => places(words, term).flatMap((at) => term.map((_, step) => at + step))));
  const result: string[] = [];
  let from = 0;
  for (const place of [...matches].sort((a, b) => a - b)) {
    const word = words[place]!;
    result.push(text.slice(from, word.from), text.slice(word.from, word.to));
    from = word.to;
  }
  return [...result, text.slice(from)];
}
