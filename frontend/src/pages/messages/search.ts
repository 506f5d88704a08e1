// What the reader looks for among the messages, as the address bar keeps it.
export type Promise = "any" | "made" | "kept" | "broken" | "none";

export type Sort = "relevance" | "newest" | "oldest";

export interface Search {
  text: string;
  experiments: string[];
  players: string[];
  round: number | null;
  game: string | null;
  promise: Promise;
  /** Null where nobody has said so: the best finds first, or as it was said. */
  sort: Sort | null;
  /** Lines before and after a find. */
  around: number;
  offset: number;
}

const SORTS: readonly Sort[] = ["relevance", "newest", "oldest"];
const MOST_AROUND = 5;
const PROMISES: readonly Promise[] = ["any", "made", "kept", "broken", "none"];
/** The server takes no longer text. */
export const LONGEST = 200;

export function searched(query: URLSearchParams): Search {
  const promise = query.get("promise");
  return {
    text: (query.get("text") ?? "").slice(0, LONGEST),
    experiments: query.getAll("experiment"),
    players: query.getAll("player"),
    round: whole(query.get("round"), 1),
    game: query.get("game"),
    promise: PROMISES.find((one) => one === promise) ?? "any",
    sort: SORTS.find((one) => one === query.get("sort")) ?? null,
    around: Math.min(MOST_AROUND, whole(query.get("around"), 0) ?? 0),
    offset: whole(query.get("offset"), 0) ?? 0,
  };
}

function whole(text: string | null, least: number): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null;
}

/** For the address and the server alike: what says nothing is left out. */
export function told(search: Search): Record<string, string | number | string[] | null> {
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

/** In how many ways besides the words the messages are narrowed. */
export function narrowings({ experiments, players, round, game, promise }: Search): number {
  return [experiments.length, players.length, round, game, promise !== "any"].filter(Boolean).length;
}

export const narrowed = (search: Search): boolean => search.text !== "" || narrowings(search) > 0;
