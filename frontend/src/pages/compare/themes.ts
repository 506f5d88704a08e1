// Scores by theme.
import type { ScoreCell, ScoreColumn, ScoreRow, ScoreTheme } from "../../api/types";

export interface Themed extends ScoreTheme {
  columns: ScoreColumn[];
  /** The subjects that have a figure in at least one of these columns. */
  rows: ScoreRow[];
}

/** Return the themes in order. Each has the scores that these subjects have, and the subjects that have at least one of
 * them. */
export function themes(all: readonly ScoreTheme[], columns: readonly ScoreColumn[], rows: readonly ScoreRow[]): Themed[] {
  const present = columns.filter(({ name }) => rows.some((row) => has(row, name)));
  return all
    .map((theme) => {
      const own = present.filter((column) => column.theme === theme.name);
      return { ...theme, columns: own, rows: rows.filter((row) => own.some(({ name }) => has(row, name))) };
    })
    .filter((themed) => themed.columns.length > 0);
}

const has = (row: ScoreRow, name: string): boolean => scoreOf(row, name)?.value != null;

export const scoreOf = (row: ScoreRow, name: string): ScoreCell | undefined => row.scores.find((score) => score.name === name);
