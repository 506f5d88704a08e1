// The panels of a chart that is put together of several, each as a chart of its own: a page lays them out in as many
// columns as it has room for. What the panels share is their data; scales that they share keep them together.
import type { Spec } from "./specs";

export interface Panel {
  title: string;
  subtitle: string;
  spec: Spec;
}

/** The panels of a grid: rows of panels whose scales are their own. Null for any other chart. */
export function panelsOf(spec: Spec): Panel[] | null {
  const rows: unknown = spec["vconcat"];
  if (!Array.isArray(rows) || !rows.every((row: Spec) => Array.isArray(row?.["hconcat"]))) return null;
  const data = spec["datasets"] ?? {};
  return rows.flatMap((row: Spec) => row["hconcat"].map((panel: Spec) => alone(panel, data)));
}

function alone({ title, ...panel }: Spec, datasets: Record<string, unknown>): Panel {
  const named = new Set(names(panel));
  const own = Object.fromEntries(Object.entries(datasets).filter(([name]) => named.has(name)));
  return { title: text(title?.text ?? title), subtitle: text(title?.subtitle), spec: { ...panel, datasets: own } };
}

/** The names of the data that a unit and its layers draw. */
function names(unit: Spec): string[] {
  const parts = ["layer", "hconcat", "vconcat"].flatMap((part) => (Array.isArray(unit[part]) ? (unit[part] as Spec[]) : []));
  const name: unknown = unit["data"]?.name;
  return [...(typeof name === "string" ? [name] : []), ...parts.flatMap(names)];
}

function text(lines: unknown): string {
  return (Array.isArray(lines) ? lines : [lines]).filter((line): line is string => typeof line === "string" && line !== "").join(" ");
}
