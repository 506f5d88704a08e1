// The scores of the battery, by what they are about.
import type { ScoreCell, ScoreColumn, ScoreRow } from "../../api/types";

export type Theme = ScoreColumn["theme"];

const TITLES: Record<Theme, string> = {
  rationality: "Rationality",
  social: "Social preferences",
  cooperation: "Cooperation and depth",
  further: "Further measures",
};

export interface Themed {
  theme: Theme;
  title: string;
  columns: ScoreColumn[];
}

/** The themes in their order, with the scores that any of these subjects has a cell for. */
export function themes(columns: readonly ScoreColumn[], rows: readonly ScoreRow[]): Themed[] {
  const there = columns.filter(({ name }) => rows.some((row) => scoreOf(row, name)));
  return (Object.keys(TITLES) as Theme[])
    .map((theme) => ({ theme, title: TITLES[theme], columns: there.filter((column) => column.theme === theme) }))
    .filter((themed) => themed.columns.length > 0);
}

export function scoreOf(row: ScoreRow, name: string): ScoreCell | undefined {
  return row.scores.find((score) => score.name === name);
}
