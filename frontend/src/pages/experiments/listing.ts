// The filters and the order of a list of games, which are stored in the address. A game's address has them too, as the
// parameter `list`, so that its page can lead to the next game of the list.
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
  broken_promise: { label: "Broken promise", meaning: "A player broke a promise", tone: "bad" },
  ruin: { label: "Ruin", meaning: "A player had nothing left at the end of a turn", tone: "bad" },
  exclusion: { label: "Exclusion", meaning: "A player was excluded", tone: "bad" },
  comeback: { label: "Comeback", meaning: "A winner was last at half-time", tone: "gold" },
  defaulted: { label: "Defaulted answers", meaning: "A player’s answer was replaced by the fallback", tone: "plain" },
  unreadable: { label: "Unreadable", meaning: "The record of the game cannot be read", tone: "bad" },
};
export const OUTCOMES: readonly { value: Outcome; label: string }[] = [
  { value: "", label: "Any outcome" },
  { value: "finished", label: "Finished" },
  { value: "won", label: "One winner" },
  { value: "shared", label: "A tie for the win" },
  { value: "void", label: "Void" },
  { value: "playing", label: "Not finished" },
];
const ORDERS = ["begun", "players", "winner", "best", "course", "rounds", "state", "drama"];
const NEWEST: Order = { by: "begun", down: true };
/** The largest length of a text that the server accepts. */
export const MAX_TEXT = 200;

export function listing(query: URLSearchParams): Listing {
  const sort = query.get("sort") ?? NEWEST.by;
  const outcome = query.get("outcome") ?? query.get("state") ?? "";
  return {
    text: (query.get("text") ?? "").slice(0, MAX_TEXT),
    player: query.get("player") ?? "",
    winner: query.get("winner") ?? "",
    outcome: OUTCOMES.find(({ value }) => value === outcome)?.value ?? "",
    highlights: query.getAll("highlight").filter((name): name is Highlight => Object.hasOwn(HIGHLIGHTS, name)),
    order: ORDERS.includes(sort) ? { by: sort, down: query.get("direction") !== "up" } : NEWEST,
    offset: Math.max(0, Math.trunc(Number(query.get("offset"))) || 0),
  };
}

/** Return the parameters of the address and of requests, without defaults. In older addresses, the outcome is called
 * `state`. */
export function parametersOf({ text, player, winner, outcome, highlights, order }: Listing): Query {
  const usual = order.by === NEWEST.by && order.down;
  return { text, player, winner, outcome, state: null, highlight: highlights, sort: usual ? null : order.by, direction: usual || order.down ? null : "up" };
}

/** Return a list as one parameter of an address. It is empty for an experiment's own list in its usual order. */
export function listWord(query: Query, experiment?: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) parameters.append(name, one);
    else if (value !== null && value !== undefined && value !== "") parameters.set(name, String(value));
  }
  if (experiment !== undefined) {
    if (![...parameters].length) return "";
    parameters.set("experiment", experiment);
  }
  return parameters.toString();
}

/** Return the query of a list in an address, with known parameters only. */
export function listQuery(word: string): Query {
  const parameters = new URLSearchParams(word);
  return { ...parametersOf(listing(parameters)), experiment: parameters.get("experiment"), game: parameters.get("game") };
}

export const isFiltered = (one: Listing): boolean => Boolean(one.text || one.player || one.winner || one.outcome || one.highlights.length);
