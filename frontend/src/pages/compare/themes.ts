// Scores, by what they are about.
import type { ScoreCell, ScoreColumn, ScoreRow, ScoreTheme } from "../../api/types";

export interface Themed extends ScoreTheme {
  columns: ScoreColumn[];
  /** Who has a figure in any of these columns. */
  rows: ScoreRow[];
}

/** The themes in their order, with the scores that any of these subjects has, and the subjects that have any of them. */
export function themes(all: readonly ScoreTheme[], columns: readonly ScoreColumn[], rows: readonly ScoreRow[]): Themed[] {
  const there = columns.filter(({ name }) => rows.some((row) => has(row, name)));
  return all
    .map((theme) => {
      const mine = there.filter((column) => column.theme === theme.name);
      return { ...theme, columns: mine, rows: rows.filter((row) => mine.some(({ name }) => has(row, name))) };
    })
    .filter((themed) => themed.columns.length > 0);
}

const has = (row: ScoreRow, name: string): boolean => scoreOf(row, name)?.value != null;

export const scoreOf = (row: ScoreRow, name: string): ScoreCell | undefined => row.scores.find((score) => score.name === name);
