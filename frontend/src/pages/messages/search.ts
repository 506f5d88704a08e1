// The search for messages, which is stored in the address.
export type Promise = "any" | "made" | "kept" | "broken" | "none";

export type Sort = "relevance" | "newest" | "oldest";

export interface Search {
  text: string;
  experiments: string[];
  players: string[];
  round: number | null;
  game: string | null;
  promise: Promise;
  /** The order of the results. Null is the default: the best matches first or, without words, the order of time. */
  sort: Sort | null;
  /** The number of lines that are shown before and after a match. */
  around: number;
  offset: number;
}

const SORTS: readonly Sort[] = ["relevance", "newest", "oldest"];
const MAX_AROUND = 5;
const PROMISES: readonly Promise[] = ["any", "made", "kept", "broken", "none"];
/** The largest length of a text that the server accepts. */
export const MAX_TEXT = 200;

export function searchOf(query: URLSearchParams): Search {
  const promise = query.get("promise");
  return {
    text: (query.get("text") ?? "").slice(0, MAX_TEXT),
    experiments: query.getAll("experiment"),
    players: query.getAll("player"),
    round: wholeNumber(query.get("round"), 1),
    game: query.get("game"),
    promise: PROMISES.find((one) => one === promise) ?? "any",
    sort: SORTS.find((one) => one === query.get("sort")) ?? null,
    around: Math.min(MAX_AROUND, wholeNumber(query.get("around"), 0) ?? 0),
    offset: wholeNumber(query.get("offset"), 0) ?? 0,
  };
}

function wholeNumber(text: string | null, least: number): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null;
}

/** Return the parameters of the address and of requests, without defaults. */
export function parametersOf(search: Search): Record<string, string | number | string[] | null> {
  return {
    text: search.text,
    experiment: search.experiments,
    player: search.players,
    round: search.round,
    game: search.game,
    promise: search.promise === "any" ? null : search.promise,
    sort: search.sort,
    around: search.around || null,
    offset: search.offset || null,
  };
}

/** Return the number of active filters; words are not counted. */
export function filterCount({ experiments, players, round, game, promise }: Search): number {
  return [experiments.length, players.length, round, game, promise !== "any"].filter(Boolean).length;
}

export const isFiltered = (search: Search): boolean => search.text !== "" || filterCount(search) > 0;
