// The panels of a composed chart as separate charts, which a page lays out in as many columns as fit. Panels may share
// data; panels with shared scales stay together.
import type { Spec } from "./specs";

export interface Panel {
  title: string;
  subtitle: string;
  spec: Spec;
}

/** Return the panels of a grid, which has rows of panels with independent scales. Return null for any other chart. */
export function panelsOf(spec: Spec): Panel[] | null {
  const rows: unknown = spec["vconcat"];
  if (!Array.isArray(rows) || !rows.every((row: Spec) => Array.isArray(row?.["hconcat"]))) return null;
  const data = spec["datasets"] ?? {};
  return rows.flatMap((row: Spec) => row["hconcat"].map((panel: Spec) => separate(panel, data)));
}

function separate({ title, ...panel }: Spec, datasets: Record<string, unknown>): Panel {
  const used = new Set(names(panel));
  const own = Object.fromEntries(Object.entries(datasets).filter(([name]) => used.has(name)));
  return { title: text(title?.text ?? title), subtitle: text(title?.subtitle), spec: { ...panel, datasets: own } };
}

/** Return the names of the datasets that a unit and its layers use. */
function names(unit: Spec): string[] {
  const parts = ["layer", "hconcat", "vconcat"].flatMap((part) => (Array.isArray(unit[part]) ? (unit[part] as Spec[]) : []));
  const name: unknown = unit["data"]?.name;
  return [...(typeof name === "string" ? [name] : []), ...parts.flatMap(names)];
}

function text(lines: unknown): string {
  return (Array.isArray(lines) ? lines : [lines]).filter((line): line is string => typeof line === "string" && line !== "").join(" ");
}
