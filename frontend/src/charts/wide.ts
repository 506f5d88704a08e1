// Wide tables of figures, with a row for each player and a column for each round, and sorting.
import type { Column, DataTable, Spec } from "./specs";

/** A cell of a wide table: the row of the long table from which its value comes. */
export interface WideTable {
  /** The column with the subject of a row. */
  who: Column;
  /** The column with the time of a column of the wide table. */
  clock: Column;
  /** The column with the quantity in the cells. */
  value: Column;
  low: Column | null;
  high: Column | null;
  times: number[];
  rows: { name: string; cells: (Spec | null)[] }[];
}

const FIGURES = new Set(["value", "low", "high", "n"]);

/** Return the table with a column for each round. Return null if it does not have a row for each player and round. */
export function widen(table: DataTable): WideTable | null {
  const by = (field: string): Column | null => table.columns.find((one) => one.field === field) ?? null;
  const [who, value] = [table.columns[0], by("value")];
  if (!who || !value || table.rows.some((row) => typeof row[who.field] !== "string")) return null;
  const clock = table.columns.slice(1).find(({ field }) => !FIGURES.has(field) && table.rows.every((row) => Number.isInteger(row[field])));
  if (!clock) return null;
  const times = [...new Set(table.rows.map((row) => row[clock.field] as number))].sort((one, other) => one - other);
  const byName = new Map<string, Map<number, Spec>>();
  for (const row of table.rows) {
    const cells = byName.get(row[who.field]) ?? new Map<number, Spec>();
    // The cell would have two figures.
    if (cells.has(row[clock.field])) return null;
    byName.set(row[who.field], cells.set(row[clock.field], row));
  }
  if (times.length < 2) return null;
  const rows = [...byName].map(([name, cells]) => ({ name, cells: times.map((time) => cells.get(time) ?? null) }));
  return { who, clock, value, low: by("low"), high: by("high"), times, rows };
}

export interface Sorting {
  column: number;
  falling: boolean;
}

/** Return rows sorted by a column. Rows without a figure always come last. */
export function sorted<Row>(rows: readonly Row[], valueOf: (row: Row) => unknown, falling: boolean): Row[] {
  const missing = (value: unknown): boolean => value === null || value === undefined;
  return [...rows].sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return falling ? -order : order;
  });
}
