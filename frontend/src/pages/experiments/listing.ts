// Which games a list shows and in which order, as the address bar keeps it. The same words, as one parameter `list` of a
// game's address, lead from a game to the next one of its list.
import type { Highlight } from "../../api/types";
import type { Query } from "../../lib/query";
import type { Order } from "../../ui/table";

export type Outcome = "" | "finished" | "won" | "shared" | "void" | "playing";

export interface Listing {
  text: string;
  player: string;
  winner: string;
  outcome: Outcome;
  highlights: Highlight[];
  order: Order;
  offset: number;
}

interface Words {
  label: string;
  meaning: string;
  tone: "plain" | "good" | "gold" | "bad";
}
export const HIGHLIGHTS: Record<Highlight, Words> = {
  broken_promise: { label: "Broken promise", meaning: "Somebody broke a promise", tone: "bad" },
  ruin: { label: "Ruin", meaning: "At the end of a turn somebody held nothing any more", tone: "bad" },
  exclusion: { label: "Exclusion", meaning: "Somebody had to leave", tone: "bad" },
  comeback: { label: "Comeback", meaning: "A winner was last at half-time", tone: "gold" },
  defaulted: { label: "Defaulted answers", meaning: "The game answered in a player’s place", tone: "plain" },
  unreadable: { label: "Unreadable", meaning: "Its record cannot be read", tone: "bad" },
};
export const OUTCOMES: readonly { value: Outcome; label: string }[] = [
  { value: "", label: "Any outcome" },
  { value: "finished", label: "Finished" },
  { value: "won", label: "One winner" },
  { value: "shared", label: "A tie for the win" },
  { value: "void", label: "Void" },
  { value: "playing", label: "Not finished" },
];
const ORDERS = ["begun", "players", "winner", "best", "course", "rounds", "state"];
const NEWEST: Order = { by: "begun", down: true };
/** The server takes no longer text. */
export const LONGEST = 200;

export function listing(query: URLSearchParams): Listing {
  const sort = query.get("sort") ?? NEWEST.by;
  const outcome = query.get("outcome") ?? query.get("state") ?? "";
  return {
    text: (query.get("text") ?? "").slice(0, LONGEST),
    player: query.get("player") ?? "",
    winner: query.get("winner") ?? "",
    outcome: OUTCOMES.find(({ value }) => value === outcome)?.value ?? "",
    highlights: query.getAll("highlight").filter((name): name is Highlight => Object.hasOwn(HIGHLIGHTS, name)),
    order: ORDERS.includes(sort) ? { by: sort, down: query.get("direction") !== "up" } : NEWEST,
    offset: Math.max(0, Math.trunc(Number(query.get("offset"))) || 0),
  };
}

/** For the address and the server alike: what says nothing is left out. `state` is what older addresses call an outcome. */
export function told({ text, player, winner, outcome, highlights, order }: Listing): Query {
  const usual = order.by === NEWEST.by && order.down;
  return { text, player, winner, outcome, state: null, highlight: highlights, sort: usual ? null : order.by, direction: usual || order.down ? null : "up" };
}

/** A list as one word of an address; empty where it is an experiment's own, in its usual order. */
export function listWord(query: Query, experiment?: string): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) asked.append(name, one);
    else if (value !== null && value !== undefined && value !== "") asked.set(name, String(value));
  }
  if (experiment !== undefined) {
    if (![...asked].length) return "";
    asked.set("experiment", experiment);
  }
  return asked.toString();
}

/** What a word of an address asks for, with nothing in it but what a list may be asked. */
export function listQuery(word: string): Query {
  const asked = new URLSearchParams(word);
  return { ...told(listing(asked)), experiment: asked.get("experiment"), game: asked.get("game") };
}

export const narrowed = (one: Listing): boolean => Boolean(one.text || one.player || one.winner || one.outcome || one.highlights.length);
