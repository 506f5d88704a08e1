// What the reader looks for among the messages, as the address bar keeps it; and where it stands in a text.
export type Promise = "any" | "made" | "kept" | "broken" | "none";

export interface Search {
  text: string;
  experiments: string[];
  players: string[];
  round: number | null;
  game: string | null;
  promise: Promise;
  offset: number;
}

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
    offset: search.offset || null,
  };
}

/** In how many ways besides the words the messages are narrowed. */
export function narrowings({ experiments, players, round, game, promise }: Search): number {
  return [experiments.length, players.length, round, game, promise !== "any"].filter(Boolean).length;
}

export const narrowed = (search: Search): boolean => search.text !== "" || narrowings(search) > 0;

export interface Piece {
  text: string;
  found: boolean;
}

/** A text in pieces: those that were looked for, and those between them. */
export function pieces(text: string, wanted: string): Piece[] {
  if (!wanted) return [{ text, found: false }];
  const [there, looked] = [text.toLowerCase(), wanted.toLowerCase()];
  // Some letters change their length with their case; places would then be wrong.
  if (there.length !== text.length || looked.length !== wanted.length) return [{ text, found: false }];
  const made: Piece[] = [];
  let from = 0;
  for (let at = there.indexOf(looked); at >= 0; at = there.indexOf(looked, from)) {
    if (at > from) made.push({ text: text.slice(from, at), found: false });
    from = at + looked.length;
    made.push({ text: text.slice(at, from), found: true });
  }
  if (from < text.length || !made.length) made.push({ text: text.slice(from), found: false });
  return made;
}
