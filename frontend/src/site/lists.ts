// The lists of a published site. The files contain complete lists, so filters and pages are applied here.
import type { Query } from "../api/client";
import type { ExperimentPage, GameListing, ListedGame, MessagePage, MessageRow, QuotePage, RatingTable, ScoreTable } from "../api/types";
import { holds, pieces, termsOf } from "./words";

const all = (value: Query[string]): string[] => (value === null || value === undefined || value === "" ? [] : typeof value === "object" ? [...value] : [String(value)]);
const among = (selection: Query[string], value: string): boolean => all(selection).length === 0 || all(selection).includes(value);

function page<T>(rows: T[], query: Query, usual: number): { rows: T[]; total: number; offset: number } {
  const offset = Number(query.offset ?? 0);
  return { rows: rows.slice(offset, offset + Number(query.limit ?? usual)), total: rows.length, offset };
}

export function experiments(found: ExperimentPage, query: Query): ExperimentPage {
  const { rows, total, offset } = page(found.experiments, query, 50);
  return { experiments: rows, total, offset, archived: found.archived };
}

const NEWEST = "begun";

/** The display names of players and experiments, by id. */
export interface DisplayNames {
  players: ReadonlyMap<string, string>;
  experiments: ReadonlyMap<string, string | null>;
}
export const NO_NAMES: DisplayNames = { players: new Map(), experiments: new Map() };

export function games(found: GameListing, query: Query, names = NO_NAMES): GameListing {
  const words = String(query.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  /** Return the texts of a game in which a search looks, as on a server. */
  const about = (one: ListedGame): string[] =>
    [one.id, one.key, one.source, one.reason, names.experiments.get(one.experiment), ...one.players.flatMap((player) => [player, names.players.get(player)])].map((text) => (text ?? "").toLowerCase());
  const listsInstruments = all(query.experiment).length > 0 || all(query.game).length > 0;
  const selection = found.games.filter(
    (one) =>
      (listsInstruments || !one.instrument) &&
      among(query.experiment, one.experiment) &&
      among(query.state, one.state) &&
      (all(query.player).length === 0 || one.players.includes(String(query.player))) &&
      (all(query.winner).length === 0 || one.winners.some((seat) => one.players[seat] === query.winner)) &&
      hasOutcome(one, String(query.outcome ?? "")) &&
      all(query.highlight).every((name) => (one.highlights as string[]).includes(name)) &&
      words.every((word) => about(one).some((text) => text.includes(word))) &&
      (among(query.game, one.command) || among(query.game, one.game)),
  );
  const { rows, total, offset } = page(sortGames(selection, String(query.sort ?? NEWEST), query.direction !== "up"), query, 50);
  return { ...found, games: rows, total, offset };
}

function hasOutcome({ state, winners }: ListedGame, outcome: string): boolean {
  if (outcome === "won" || outcome === "shared") return outcome === "won" ? winners.length === 1 : winners.length > 1;
  return outcome === "" || state === outcome;
}

/** Return games in the same order as a server. Games without a value come last. */
function sortGames(games: readonly ListedGame[], by: string, down: boolean): ListedGame[] {
  const sign = down ? -1 : 1;
  if (by === NEWEST) return down ? [...games] : [...games].reverse();
  const value = (one: ListedGame): string | number | null => {
    if (by === "players") return one.players.join("\n");
    if (by === "winner") return one.winners.map((seat) => one.players[seat]).join("\n") || null;
    if (by === "course") return one.course?.length ? one.course.reduce((sum, each) => sum + each, 0) / one.course.length : null;
    if (by === "drama") return one.drama;
    return by === "best" ? one.best : by === "rounds" ? one.rounds : one.state;
  };
  return [...games].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}

export function messages(found: MessagePage, query: Query): MessagePage {
  const terms = termsOf(String(query.text ?? ""));
  const promise = query.promise ?? "any";
  const selection = found.messages.filter(
    (one) =>
      among(query.experiment, one.experiment) &&
      among(query.player, one.player) &&
      among(query.round, String(one.round)) &&
      (among(query.game, one.game) || among(query.game, one.key)) &&
      holds(one.text, terms) &&
      (promise === "any" || (promise === "none" ? one.kept === null : promise === "made" ? one.kept !== null : one.kept === (promise === "kept"))),
  );
  const { rows, total, offset } = page(query.sort === "newest" ? selection.reverse() : selection, query, 50);
  const promises = selection.filter(({ kept }) => kept !== null).length;
  const kept = selection.filter((one) => one.kept === true).length;
  const shown = rows.map((one) => ({ ...one, pieces: terms.length ? pieces(one.text, terms) : [], ...around(found.messages, one, Number(query.around ?? 0)) }));
  return { ...found, messages: shown, total, offset, promises, kept, broken: promises - kept, ranked: total };
}

/** Return the messages before and after a message in its game. */
function around(all: readonly MessageRow[], one: MessageRow, lines: number): Pick<MessageRow, "before" | "after"> {
  if (!lines) return { before: [], after: [] };
  const place = all.findIndex((other) => other.game === one.game && other.event === one.event);
  const near = (from: number, to: number): MessageRow["before"] =>
    all.slice(Math.max(0, from), to).filter(({ game }) => game === one.game).map(({ event, round, seat, player, text }) => ({ event, round, seat, player, text }));
  return { before: near(place - lines, place), after: near(place + 1, place + 1 + lines) };
}

export function quotes(found: QuotePage, query: Query): QuotePage {
  const selection = found.lines.filter((one) => among(query.player, one.player) && among(query.judge, one.judge));
  const { rows, total, offset } = page(selection, query, 50);
  return { ...found, lines: rows, total, offset };
}

export function scores(found: ScoreTable, query: Query): ScoreTable {
  const score = ({ scores: all }: ScoreTable["rows"][number]): number | null => all.find(({ name }) => name === query.sort)?.value ?? null;
  const sign = query.order === "lowest" ? 1 : -1;
  const compare = (one: number | null, other: number | null): number => (one === null || other === null ? Number(one === null) - Number(other === null) : sign * (one - other));
  const sorted = query.sort ? [...found.rows].sort((one, other) => compare(score(one), score(other))) : found.rows;
  const { rows, total, offset } = page(sorted, query, 20);
  return { ...found, rows, total, offset };
}

export const ratings = (found: RatingTable, query: Query): RatingTable => ({ ...found, rows: found.rows.filter(({ player }) => among(query.player, player)) });
