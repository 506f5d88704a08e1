// An experiment in words.
import type { ExperimentDetail, ExperimentItem, GameKind, ModelRow } from "../../api/types";
import { capital, percent, tally } from "../../lib/format";

const TITLES: Record<string, string> = { mixed: "Several games", import: "Imported games", simulation: "Simulation" };

/** What people call a kind of experiment. */
export function kindTitle(kind: string, games: readonly GameKind[]): string {
  return games.find((game) => game.command === kind || game.name === kind)?.title ?? TITLES[kind] ?? capital(kind);
}

/** The experiments that are being played first; otherwise as they came, the newest first. */
export function runningFirst<Item extends Pick<ExperimentItem, "running" | "playing">>(items: readonly Item[]): Item[] {
  const rank = (item: Item): number => (item.running ? 0 : item.playing > 0 ? 1 : 2);
  return [...items].sort((one, other) => rank(one) - rank(other));
}

/** The models that were called; people's answers are counted like calls, but are none. */
export function modelsOf(experiment: Pick<ExperimentDetail, "models">): ModelRow[] {
  return experiment.models.filter((row) => !/^human( P\d+)?$/.test(row.model));
}

/** Whether somebody could go on with it here. */
export const resumable = (item: Pick<ExperimentItem, "running" | "state">): boolean => !item.running && item.state === "unfinished";

/** Which part of the answers this is; "–" where nobody was asked, or where the answers were read from others' logs, which do
 * not say. */
export function shareOf(number: number, item: Pick<ExperimentItem, "answers" | "kind">): string {
  return item.answers > 0 && item.kind !== "import" ? percent(number / item.answers) : "–";
}

/** The first few names, and how many more there are. */
export function firstFew(names: readonly string[], most = 4): { shown: { name: string; times: number }[]; more: number } {
  const all = tally(names);
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}
