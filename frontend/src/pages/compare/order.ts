// The order of a leaderboard, and the search for players.
import type { BoardColumn, RatingRow } from "../../api/types";

/** Return the heading of a column with a capital letter. Greek letters are not changed. */
export const headingOf = ({ heading }: Pick<BoardColumn, "heading">): string => heading.replace(/^[a-z]/, (letter) => letter.toUpperCase());

export interface Order {
  /** The name of the column by which rows are sorted. */
  by: string;
  /** True if the column's usual order is reversed. */
  turned: boolean;
}

/** Return the order that the address has. */
export function orderOf(query: URLSearchParams): Order {
  return { by: query.get("sort") ?? "place", turned: query.get("order") === "turned" };
}

export const orderParameters = ({ by, turned }: Order): Record<string, string | null> => ({ sort: by === "place" ? null : by, order: turned ? "turned" : null });

/** Return the order after a press on a column's heading. The first press gives the column's usual order, and a second
 * press reverses it. */
export const pressColumn = (now: Order, by: string): Order => ({ by, turned: now.by === by && !now.turned });

const ASCENDING: readonly string[] = ["place", "player", "tier", "ranks"];

/** True if a column is sorted in descending order. */
export const isDescending = ({ by, turned }: Order): boolean => ASCENDING.includes(by) === turned;

const value = (row: RatingRow, by: string): string | number | null => row.cells[by]?.value ?? null;

/** Return the rows in this order. Rows without a figure always come last. */
export function sortRows(rows: readonly RatingRow[], order: Order): RatingRow[] {
  const sign = isDescending(order) ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one, order.by), value(other, order.by)];
    if (a === null || b === null) return a === b ? one.place - other.place : a === null ? 1 : -1;
    const difference = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return sign * difference || one.place - other.place;
  });
}

/** True if a player's name contains every word, or if the player is pinned. */
export function matches(row: Pick<RatingRow, "player" | "label">, words: string, pinned: readonly string[]): boolean {
  const text = `${row.label} ${row.player}`.toLowerCase();
  return pinned.includes(row.player) || words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
