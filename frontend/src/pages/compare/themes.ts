// Scores, by what they are about.
import type { ScoreCell, ScoreColumn, ScoreRow, ScoreTheme } from "../../api/types";

export interface Themed extends ScoreTheme {
  columns: ScoreColumn[];
}

/** The themes in their order, with the scores that any of these subjects has a cell for. */
export function themes(all: readonly ScoreTheme[], columns: readonly ScoreColumn[], rows: readonly ScoreRow[]): Themed[] {
  const there = columns.filter(({ name }) => rows.some((row) => scoreOf(row, name)));
  return all
    .map((theme) => ({ ...theme, columns: there.filter((column) => column.theme === theme.name) }))
    .filter((themed) => themed.columns.length > 0);
}

export const scoreOf = (row: ScoreRow, name: string): ScoreCell | undefined => row.scores.find((score) => score.name === name);
