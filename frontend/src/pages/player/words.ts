// Figures of a player's profile as texts and tables.
import type { PlayerProfile, ProfileFigure } from "../../api/types";
import { figure, percent } from "../../lib/format";
import { UNKNOWN } from "../../charts/numbers";
import type { DataTable } from "../../charts/specs";

/** Return a value in the format of its measure. */
export function valueText(of: Pick<ProfileFigure, "share" | "decimals">, value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  return of.share ? percent(value) : figure(value, of.decimals);
}

/** Return "12.1 % to 14.0 %", or the reason why there is no interval. */
export function intervalText(of: ProfileFigure): string {
  const { low, high, reason } = of.figure;
  return low == null || high == null ? (reason ?? "no interval") : `${valueText(of, low)} to ${valueText(of, high)}`;
}

const ENDINGS: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/** Return the rank in words: "highest of 19", "3rd highest of 19". */
export function rankText({ place, players, figure: { value }, others }: Pick<ProfileFigure, "place" | "players" | "figure" | "others">): string {
  if (place === null) return "no figure";
  if (players > 1 && others.every((one) => one.value === value)) return `all ${players} alike`;
  const nth = place === 1 ? "" : place === players ? "lowest of " : `${place}${ENDINGS[ordinals.select(place)]} `;
  if (place === players && players > 1) return `${nth}${players}`;
  return `${nth}highest of ${players}`;
}

/** Return the player's figures as a table with one row for each measure. */
export function measuresTable({ profile }: PlayerProfile): DataTable {
  const columns = ["measure", "title", "unit", "value", "low", "high", "games", "place", "players"].map((field) => ({ title: field, field, format: null }));
  const rows = profile.map((one) => ({
    measure: one.name, title: one.title, unit: one.share ? "share" : one.unit, value: one.figure.value, low: one.figure.low ?? null,
    high: one.figure.high ?? null, games: one.games, place: one.place, players: one.players,
  }));
  return { columns, rows };
}

/** Return the player's games as a table with one row for each seat that the player had. */
export function gamesTable({ games }: PlayerProfile): DataTable {
  const columns = ["game", "experiment", "seat", "final", "rank", "seats", "players"].map((field) => ({ title: field, field, format: null }));
  return { columns, rows: games.map((one) => ({ ...one, seat: `P${one.seat + 1}`, players: one.players.join("; ") })) };
}
