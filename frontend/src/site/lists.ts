// Lists of a published site, which come whole: what a server would leave out is left out here.
import type { Query } from "../api/client";
import type { ExperimentPage, GamePage, MessagePage, RatingTable, ScoreTable } from "../api/types";

const all = (value: Query[string]): string[] => (value === null || value === undefined || value === "" ? [] : typeof value === "object" ? [...value] : [String(value)]);
const among = (wanted: Query[string], value: string): boolean => all(wanted).length === 0 || all(wanted).includes(value);

function page<T>(rows: T[], query: Query, usual: number): { rows: T[]; total: number; offset: number } {
  const offset = Number(query.offset ?? 0);
  return { rows: rows.slice(offset, offset + Number(query.limit ?? usual)), total: rows.length, offset };
}

export function experiments(found: ExperimentPage, query: Query): ExperimentPage {
  const { rows, total, offset } = page(found.experiments, query, 50);
  return { experiments: rows, total, offset, archived: found.archived };
}

export function games(found: GamePage, query: Query): GamePage {
  const wanted = found.games.filter(
    (one) =>
      among(query.experiment, one.experiment) &&
      among(query.state, one.state) &&
      (all(query.player).length === 0 || one.players.includes(String(query.player))) &&
      (among(query.game, one.command) || among(query.game, one.game)),
  );
  const { rows, total, offset } = page(wanted, query, 50);
  return { games: rows, total, offset };
}

export function messages(found: MessagePage, query: Query): MessagePage {
  const text = String(query.text ?? "").toLowerCase();
  const promise = query.promise ?? "any";
  const wanted = found.messages.filter(
    (one) =>
      among(query.experiment, one.experiment) &&
      among(query.player, one.player) &&
      among(query.round, String(one.round)) &&
      (among(query.game, one.game) || among(query.game, one.key)) &&
      one.text.toLowerCase().includes(text) &&
      (promise === "any" || (promise === "none" ? one.kept === null : promise === "made" ? one.kept !== null : one.kept === (promise === "kept"))),
  );
  const { rows, total, offset } = page(wanted, query, 50);
  const promises = wanted.filter(({ kept }) => kept !== null).length;
  const kept = wanted.filter((one) => one.kept === true).length;
  return { messages: rows, total, offset, promises, kept, broken: promises - kept };
}

export function scores(found: ScoreTable, query: Query): ScoreTable {
  const score = ({ scores: all }: ScoreTable["rows"][number]): number | null => all.find(({ name }) => name === query.sort)?.value ?? null;
  const sign = query.order === "lowest" ? 1 : -1;
  const apart = (one: number | null, other: number | null): number => (one === null || other === null ? Number(one === null) - Number(other === null) : sign * (one - other));
  const ordered = query.sort ? [...found.rows].sort((one, other) => apart(score(one), score(other))) : found.rows;
  const { rows, total, offset } = page(ordered, query, 20);
  return { ...found, rows, total, offset };
}

export const ratings = (found: RatingTable, query: Query): RatingTable => ({ ...found, rows: found.rows.filter(({ player }) => among(query.player, player)) });
