// Properties of a Vega-Lite specification that can be determined without drawing it: whether it refers to external
// data, its height, and the tables of figures behind its marks.
export type Spec = { [name: string]: any };

export interface Column {
  title: string;
  field: string;
  /** A number format of d3. The chart's tooltips use it. */
  format: string | null;
}

export interface DataTable {
  columns: Column[];
  rows: Spec[];
}

const DATA = new Set(["datasets", "values"]);

/** True if a specification loads data from an address, which the pages do not allow. */
export function fetches(spec: unknown): boolean {
  if (Array.isArray(spec)) return spec.some(fetches);
  if (typeof spec !== "object" || spec === null) return false;
  return Object.entries(spec).some(([name, value]) => !DATA.has(name) && (name === "url" || fetches(value)));
}

/** Return the specification with every `currentColor` replaced, because a canvas does not follow the page's colour. */
export function withInk<T>(part: T, ink: string): T {
  if (part === "currentColor") return ink as T;
  if (Array.isArray(part)) return part.map((one) => withInk(one, ink)) as T;
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, DATA.has(name) ? value : withInk(value, ink)])) as T;
}

/** Return a complete specification with title and configuration, for any Vega-Lite editor. */
export function standalone(spec: Spec, title: string, config: Spec): Spec {
  const { usermeta: _ours, ...rest } = spec;
  const complete = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", title, ...rest, config };
  return withInk(stretches(spec) ? { ...complete, width: 700 } : complete, "#1d2126");
}

/** True if the chart fills the available width. Composed charts keep their own width. */
export const stretches = (spec: Spec): boolean => spec["width"] === "container";

const AXES_HEIGHT = 74;

/** Return the approximate height of the drawing. It is used to reserve the space on the page. */
export function expectedHeight(spec: Spec): number {
  if (Array.isArray(spec["vconcat"])) return total(spec["vconcat"].map(expectedHeight), spec["spacing"] ?? 20);
  if (Array.isArray(spec["hconcat"])) return Math.max(...spec["hconcat"].map(expectedHeight));
  const height = spec["height"];
  if (typeof height === "number") return height + AXES_HEIGHT;
  return (height?.step ?? 20) * rowsOf(spec) + AXES_HEIGHT;
}

const total = (parts: number[], spacing: number): number => parts.reduce((sum, part) => sum + part, 0) + spacing * (parts.length - 1);

function rowsOf(spec: Spec): number {
  for (const unit of [spec, ...(spec["layer"] ?? [])]) {
    const domain = unit.encoding?.y?.scale?.domain;
    if (Array.isArray(domain)) return domain.length;
  }
  return 10;
}

/** Return the figures behind the marks, with the texts of their tooltips. A unit that expands packed lists into thousands
 * of dots is omitted if another unit summarises it. */
export function dataTables(spec: Spec): DataTable[] {
  const tables: (DataTable & { packed: boolean })[] = [];
  visit(spec, spec["datasets"] ?? {}, undefined, tables);
  const plain = tables.filter((one) => !one.packed);
  const selection = plain.length ? plain : tables;
  const seen = new Set<string>();
  return selection.filter(({ columns, rows }) => {
    const name = JSON.stringify([columns, rows.length, rows[0] ?? null]);
    return rows.length > 0 && !seen.has(name) && seen.add(name);
  });
}

function visit(unit: Spec, datasets: Record<string, Spec[]>, above: Spec[] | undefined, tables: (DataTable & { packed: boolean })[]): void {
  const data = unit["data"];
  const rows: Spec[] | undefined = data?.values ?? (data?.name === undefined ? above : datasets[data.name]);
  const tips = unit["encoding"]?.tooltip;
  if (rows && Array.isArray(tips) && tips.length) {
    const columns = tips
      .filter((tip) => typeof tip.field === "string")
      .map((tip) => ({ title: tip.title ?? tip.field, field: tip.field, format: tip.format ?? null }));
    const packed = (unit["transform"] ?? []).some((step: Spec) => "flatten" in step);
    tables.push({ columns, rows: packed ? spread(rows) : rows, packed });
  }
  for (const inner of [...(unit["layer"] ?? []), ...(unit["hconcat"] ?? []), ...(unit["vconcat"] ?? [])]) {
    visit(inner, datasets, rows, tables);
  }
}

function spread(rows: Spec[]): Spec[] {
  return rows.flatMap((row) => {
    const lists = Object.entries(row).filter(([, value]) => Array.isArray(value));
    const length = Math.max(0, ...lists.map(([, list]) => list.length));
    return Array.from({ length }, (_, index) => ({ ...row, ...Object.fromEntries(lists.map(([name, list]) => [name, list[index]])) }));
  });
}
