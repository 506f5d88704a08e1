// The three scores that a card begins with: what each means in a sentence, and what it is made of.
export interface Part {
  name: string;
  /** Where its axis ends; it begins at nought. */
  top: number;
  /** What the figure counts, where its title does not say so. */
  note?: string;
}

export interface Headline {
  name: "rationality" | "social" | "cooperation";
  meaning: string;
  parts: Part[];
  /** Scores in words that belong to it. */
  words: string[];
}

export const TOP = 100;

export const HEADLINES: readonly Headline[] = [
  {
    name: "rationality",
    meaning: "Patience and consistency under risk, half each. 100 is never to discount, and never to contradict expected utility.",
    parts: [{ name: "delta", top: 1, note: "worth of 1 a year later" }, { name: "err_eu", top: 50, note: "% off; less is better" }],
    words: ["discounting"],
  },
  {
    name: "social",
    meaning: "The mean of four: what is given, low offers rejected, money trusted to another, and money returned.",
    parts: [{ name: "altruism", top: 100 }, { name: "fairness", top: 100 }, { name: "trust", top: 100 }, { name: "reciprocity", top: 100 }],
    words: [],
  },
  {
    name: "cooperation",
    meaning: "The mean of three: how often the stag is hunted, how much is contributed, and how often is passed. From 65 cooperative, below 40 competitive.",
    parts: [{ name: "stag", top: 100, note: "% stag" }, { name: "contribution", top: 100, note: "% contributed" }, { name: "pass", top: 100, note: "% passed" }],
    words: ["depth"],
  },
];
