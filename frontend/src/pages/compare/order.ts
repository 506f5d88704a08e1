// In which order a leaderboard stands, and who of it is looked for.
import type { RatingRow } from "../../api/types";

export const COLUMNS = ["place", "player", "strength", "mu", "games", "mean_final", "defaulted", "repaired"] as const;
export type Column = (typeof COLUMNS)[number];

export const TITLES: Record<Column, string> = {
  place: "Place",
  player: "Player",
  strength: "Strength",
  mu: "μ",
  games: "Games",
  mean_final: "Mean final",
  defaulted: "Defaulted",
  repaired: "Repaired",
};

export interface Order {
  by: Column;
  /** Whether what usually comes last comes first. */
  turned: boolean;
}

/** As the address says it. */
export function orderOf(query: URLSearchParams): Order {
  return { by: COLUMNS.find((one) => one === query.get("sort")) ?? "place", turned: query.get("order") === "turned" };
}

export const keptOrder = ({ by, turned }: Order): Record<string, string | null> => ({ sort: by === "place" ? null : by, order: turned ? "turned" : null });

/** After a press on a column's heading: its own order, and turned by a second press. */
export const pressed = (now: Order, by: Column): Order => ({ by, turned: now.by === by && !now.turned });

const RISING: readonly Column[] = ["place", "player"];

/** Whether the figures of a column fall from the top. */
export const falls = ({ by, turned }: Order): boolean => RISING.includes(by) === turned;

function value(row: RatingRow, by: Column): string | number | null {
  switch (by) {
    case "player":
      return row.label;
    case "strength":
      return row.strength?.value ?? null;
    default:
      return row[by] ?? null;
  }
}

/** The rows in this order; those without a figure come last either way. */
export function ordered(rows: readonly RatingRow[], order: Order): RatingRow[] {
  const sign = falls(order) ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one, order.by), value(other, order.by)];
    if (a === null || b === null) return a === b ? one.place - other.place : a === null ? 1 : -1;
    const apart = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return sign * apart || one.place - other.place;
  });
}

/** Whether a player is looked for: every word stands in its name, or it is pinned. */
export function found(row: Pick<RatingRow, "player" | "label">, words: string, pinned: readonly string[]): boolean {
  const text = `${row.label} ${row.player}`.toLowerCase();
  return pinned.includes(row.player) || words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
