// What can be known of a Vega-Lite specification without drawing it: whether it asks for anything from elsewhere, how
// high it will be, and the table of figures behind its marks.
export type Spec = { [name: string]: any };

export interface Column {
  title: string;
  field: string;
  /** A number format of d3, as the chart's tooltips use it. */
  format: string | null;
}

export interface DataTable {
  columns: Column[];
  rows: Spec[];
}

const DATA = new Set(["datasets", "values"]);

/** Where a specification takes data from an address; the pages draw what the server handed out and fetch nothing else. */
export function fetches(spec: unknown): boolean {
  if (Array.isArray(spec)) return spec.some(fetches);
  if (typeof spec !== "object" || spec === null) return false;
  return Object.entries(spec).some(([name, value]) => !DATA.has(name) && (name === "url" || fetches(value)));
}

/** The same with every `currentColor` replaced: a canvas keeps the colour that it was painted with. */
export function inked<T>(part: T, ink: string): T {
  if (part === "currentColor") return ink as T;
  if (Array.isArray(part)) return part.map((one) => inked(one, ink)) as T;
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, DATA.has(name) ? value : inked(value, ink)])) as T;
}

/** A specification that stands by itself: with its title and its configuration, for any editor of Vega-Lite. */
export function whole(spec: Spec, title: string, config: Spec): Spec {
  const { usermeta: _ours, ...rest } = spec;
  const made = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", title, ...rest, config };
  return inked(stretches(spec) ? { ...made, width: 700 } : made, "#1d2126");
}

/** Whether the chart takes the width of its place; charts put together of several keep their own. */
export const stretches = (spec: Spec): boolean => spec["width"] === "container";

const AXES = 74;

/** About how high the drawing will be, so that the page can keep the place. */
export function expectedHeight(spec: Spec): number {
  if (Array.isArray(spec["vconcat"])) return total(spec["vconcat"].map(expectedHeight), spec["spacing"] ?? 20);
  if (Array.isArray(spec["hconcat"])) return Math.max(...spec["hconcat"].map(expectedHeight));
  const height = spec["height"];
  if (typeof height === "number") return height + AXES;
  return (height?.step ?? 20) * rowsOf(spec) + AXES;
}

const total = (parts: number[], spacing: number): number => parts.reduce((sum, part) => sum + part, 0) + spacing * (parts.length - 1);

function rowsOf(spec: Spec): number {
  for (const unit of [spec, ...(spec["layer"] ?? [])]) {
    const domain = unit.encoding?.y?.scale?.domain;
    if (Array.isArray(domain)) return domain.length;
  }
  return 10;
}

/** The figures behind the marks, by the words of their tooltips. A unit that spreads packed lists into thousands of dots
 * is left out where another sums it up. */
export function dataTables(spec: Spec): DataTable[] {
  const found: (DataTable & { packed: boolean })[] = [];
  visit(spec, spec["datasets"] ?? {}, undefined, found);
  const plain = found.filter((one) => !one.packed);
  const kept = plain.length ? plain : found;
  const seen = new Set<string>();
  return kept.filter(({ columns, rows }) => {
    const name = JSON.stringify([columns, rows.length, rows[0] ?? null]);
    return rows.length > 0 && !seen.has(name) && seen.add(name);
  });
}

function visit(unit: Spec, datasets: Record<string, Spec[]>, above: Spec[] | undefined, found: (DataTable & { packed: boolean })[]): void {
  const data = unit["data"];
  const rows: Spec[] | undefined = data?.values ?? (data?.name === undefined ? above : datasets[data.name]);
  const tips = unit["encoding"]?.tooltip;
  if (rows && Array.isArray(tips) && tips.length) {
    const columns = tips
      .filter((tip) => typeof tip.field === "string")
      .map((tip) => ({ title: tip.title ?? tip.field, field: tip.field, format: tip.format ?? null }));
    const packed = (unit["transform"] ?? []).some((step: Spec) => "flatten" in step);
    found.push({ columns, rows: packed ? spread(rows) : rows, packed });
  }
  for (const inner of [...(unit["layer"] ?? []), ...(unit["hconcat"] ?? []), ...(unit["vconcat"] ?? [])]) {
    visit(inner, datasets, rows, found);
  }
}

function spread(rows: Spec[]): Spec[] {
  return rows.flatMap((row) => {
    const lists = Object.entries(row).filter(([, value]) => Array.isArray(value));
    const length = Math.max(0, ...lists.map(([, list]) => list.length));
    return Array.from({ length }, (_, index) => ({ ...row, ...Object.fromEntries(lists.map(([name, list]) => [name, list[index]])) }));
  });
}
