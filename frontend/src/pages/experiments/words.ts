// An experiment in words.
import type { ExperimentDetail, ExperimentItem, GameKind, ModelRow } from "../../api/types";
import { capital, percent, tally } from "../../lib/format";

const TITLES: Record<string, string> = { mixed: "Several games", import: "Imported games", simulation: "Simulation" };

/** Return the display name of a kind of experiment. */
export function kindTitle(kind: string, games: readonly GameKind[]): string {
  return games.find((game) => game.command === kind || game.name === kind)?.title ?? TITLES[kind] ?? capital(kind);
}

/** Return the experiments, with those being played at the beginning; otherwise, their order is kept. */
export function runningFirst<Item extends Pick<ExperimentItem, "running" | "playing">>(items: readonly Item[]): Item[] {
  const rank = (item: Item): number => (item.running ? 0 : item.playing > 0 ? 1 : 2);
  return [...items].sort((one, other) => rank(one) - rank(other));
}

/** Return the models that were called. People are left out, although the server lists them with the models. */
export function modelsOf(experiment: Pick<ExperimentDetail, "models">): ModelRow[] {
  return experiment.models.filter((row) => !/^human( P\d+)?$/.test(row.model));
}

/** True if the experiment can be resumed here. */
export const resumable = (item: Pick<ExperimentItem, "running" | "state">): boolean => !item.running && item.state === "unfinished";

/** Return the number as a share of all answers. Return "–" if there are no answers, or for imported games, whose logs do
 * not have this number. */
export function shareOf(number: number, item: Pick<ExperimentItem, "answers" | "kind">): string {
  return item.answers > 0 && item.kind !== "import" ? percent(number / item.answers) : "–";
}

/** Return the first few names, and the number of the others. */
export function firstFew(names: readonly string[], most = 4): { shown: { name: string; times: number }[]; more: number } {
  const all = tally(names);
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}

/** Return the reasons of a drama score as text. */
export const reasonsText = (reasons: readonly string[]): string => reasons.join(", ");
