// An experiment in words.
import type { ExperimentDetail, ExperimentItem, GameKind, ModelRow } from "../../api/types";
import { capital, percent, tally } from "../../lib/format";

const TITLES: Record<string, string> = { mixed: "Several games", import: "Imported games", simulation: "Simulation" };

/** The display name of a kind of experiment. */
export function kindTitle(kind: string, games: readonly GameKind[]): string {
  return games.find((game) => game.command === kind || game.name === kind)?.title ?? TITLES[kind] ?? capital(kind);
}

/** The experiments being played first; otherwise in their order. */
export function runningFirst<Item extends Pick<ExperimentItem, "running" | "playing">>(items: readonly Item[]): Item[] {
  const rank = (item: Item): number => (item.running ? 0 : item.playing > 0 ? 1 : 2);
  return [...items].sort((one, other) => rank(one) - rank(other));
}

/** The models that were called, without people, who are listed with them. */
export function modelsOf(experiment: Pick<ExperimentDetail, "models">): ModelRow[] {
  return experiment.models.filter((row) => !/^human( P\d+)?$/.test(row.model));
}

/** True if it can be resumed here. */
export const resumable = (item: Pick<ExperimentItem, "running" | "state">): boolean => !item.running && item.state === "unfinished";

/** The share of the answers; "–" without answers, or for imported games, whose logs do not have it. */
export function shareOf(number: number, item: Pick<ExperimentItem, "answers" | "kind">): string {
  return item.answers > 0 && item.kind !== "import" ? percent(number / item.answers) : "–";
}

/** The first few names, and the number of others. */
export function firstFew(names: readonly string[], most = 4): { shown: { name: string; times: number }[]; more: number } {
  const all = tally(names);
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}
