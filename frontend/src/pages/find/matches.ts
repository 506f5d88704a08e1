// Matches of the search for everything, apart from games and messages, which the server searches.
import type { StudyItem } from "../../api/types";

export interface PlayerEntry {
  player: string;
  name: string;
  /** The game that the player plays. */
  kind: string;
  title: string;
  subjects: boolean;
}

export interface PageEntry {
  title: string;
  href: string;
  about: string;
}

const PAGES: readonly PageEntry[] = [
  { title: "Home", href: "#/", about: "findings, games worth watching and the latest experiments" },
  { title: "Games", href: "#/games", about: "all games, sorted and filtered by players and events" },
  { title: "Players", href: "#/players", about: "all players, each with its clearest finding" },
  { title: "Compare", href: "#/compare", about: "leaderboards, ratings and charts" },
  { title: "Messages", href: "#/messages", about: "what players said, and their promises" },
  { title: "Quotes", href: "#/quotes", about: "striking lines that judges picked" },
  { title: "Method", href: "#/method", about: "definitions, sources, and tables to download" },
  { title: "Experiments", href: "#/experiments", about: "all experiments" },
];

/** Return true if each word occurs in one of the texts, in any case. Accents and signs within words are ignored, so
 * that "deepseek r1" finds "DeepSeek-R1". */
export function matches(words: string, ...texts: readonly string[]): boolean {
  const all = texts.map(plain).join("\n");
  const wanted = plain(words).split(" ").filter(Boolean);
  return wanted.length > 0 && wanted.every((word) => all.includes(word));
}

const plain = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, " ").trim();

/** Return the pages whose title or subject matches, and the leaderboard of each game whose title matches. Without
 * words, return all pages. */
export function findPages(words: string, studies: readonly Pick<StudyItem, "kind" | "title">[]): PageEntry[] {
  const boards = studies.map(({ kind, title }) => ({ title, href: `#/compare?kind=${encodeURIComponent(kind)}`, about: "leaderboard and charts" }));
  return [...PAGES, ...boards].filter(({ title, about }) => !words.trim() || matches(words, title, about));
}
