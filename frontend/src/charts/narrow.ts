// Charts on a narrow screen: names stand above bars, the names of lines in a list below them, and what stands side by
// side stands one below the other. Nothing is left out, and nothing scrolls sideways.
import type { Spec } from "./specs";

/** Below this width names beside bars leave no room for the bars. */
export const NARROW = 520;
const STEP = 38;
/** From the middle of a row down to its mark, and up to its name. */
const DOWN = 9;
const UP = 10;
const THICK = 14;
/** How high one of several bars of a row is. */
const GROUPED = 20;
/** Between panels, unless they say otherwise, and how wide a letter of a name is, about. */
const BETWEEN = 20;
const LETTER = 6;
/** Layers that name the lines at their ends, as ostrom.charts.lines calls them. */
const END = "end_";

/** The name of a line, with the sign that its line bears. */
export interface LineName {
  player: string;
  words: string;
  key: string;
  dash: number;
  shape: string;
}

export function narrowed(spec: Spec): Spec {
  if (Array.isArray(spec["hconcat"])) {
    const { hconcat, ...rest } = spec;
    // Beside the first panel the others need no names of their own; below it they do.
    return { ...rest, vconcat: hconcat.map((panel: Spec) => narrowed(withNames(panel, {}))) };
  }
  if (Array.isArray(spec["vconcat"])) return { ...spec, vconcat: spec["vconcat"].map(narrowed) };
  if (!Array.isArray(spec["layer"])) return spec;
  const layer = spec["layer"].filter((unit: Spec) => !String(unit["name"] ?? "").startsWith(END));
  const named = layer.find((unit: Spec) => isNamed(unit["encoding"]?.y));
  if (!named) return { ...spec, layer };
  if (layer.some(isGrouped)) return grouped(spec, layer, named.encoding.y);
  const y = named.encoding.y;
  const names = { ...y, axis: null };
  const above = {
    data: { values: y.scale.domain.map((label: string) => ({ [y.field]: label })) },
    mark: { type: "text", align: "left", baseline: "middle", dy: -UP },
    encoding: { x: { value: 0 }, y: names, text: { field: y.field, type: "nominal" } },
  };
  const rows = layer.map((unit: Spec) => (unit["encoding"]?.y?.field === y.field ? lowered(unit) : unit));
  return { ...spec, height: { step: STEP }, layer: [...rows, above] };
}

/** Panels that stand side by side, in as many rows as they need in this room; each row begins with the names. */
export function wrapped(spec: Spec, room: number): Spec {
  const { hconcat, spacing = BETWEEN, ...rest } = spec;
  if (!Array.isArray(hconcat) || !hconcat.every((panel: Spec) => typeof panel["width"] === "number")) return spec;
  const named = rowsOf(hconcat[0]);
  if (!named || before(named) + across(hconcat, spacing) <= room) return spec;
  const rows: Spec[][] = [];
  for (const panel of hconcat as Spec[]) {
    const last = rows.at(-1);
    if (last && before(named) + across([...last, panel], spacing) <= room) last.push(panel);
    else rows.push([rows.length ? withNames(panel, named["axis"]) : panel]);
  }
  return { ...rest, vconcat: rows.map((row) => ({ hconcat: row, spacing })) };
}

/** How wide panels are side by side with their titles, and about how much the names of rows take before them. */
const across = (panels: Spec[], spacing: number): number => panels.reduce((sum, panel) => sum + Math.max(Number(panel["width"]), headed(panel)) + spacing, -spacing);
const headed = ({ title }: Spec): number => Math.max(7 * String(title?.text ?? title ?? "").length, LETTER * String(title?.subtitle ?? "").length);
const before = (y: Spec): number => 14 + LETTER * Math.max(...y["scale"].domain.map((name: unknown) => String(name).length));

/** The axis of a panel that has a row for each name, whether it writes the names or not. */
function rowsOf(panel: Spec): Spec | undefined {
  return (Array.isArray(panel["layer"]) ? panel["layer"] : [panel]).map((unit: Spec) => unit["encoding"]?.y).find((y: Spec | undefined) => Array.isArray(y?.["scale"]?.domain));
}

/** A panel that writes the names of its rows, where it left that to the panel before it. */
function withNames(panel: Spec, axis: unknown): Spec {
  if (rowsOf(panel)?.["axis"] !== null || !Array.isArray(panel["layer"])) return panel;
  const layer = panel["layer"].map((unit: Spec) => (unit["encoding"]?.y?.axis === null ? { ...unit, encoding: { ...unit["encoding"], y: { ...unit["encoding"].y, axis } } } : unit));
  return { ...panel, layer };
}

/** Whether a row holds several marks of a layer, one below the other. */
const isGrouped = (unit: Spec): boolean => unit["encoding"]?.yOffset?.type === "nominal";

/** Rows of several bars each: the rows move apart, and names stand above their bars. */
function grouped(spec: Spec, layer: Spec[], y: Spec): Spec {
  const bars = Number(layer.find(isGrouped)?.["encoding"].yOffset.scale?.domain?.length ?? 1);
  const apart = { ...y, axis: null, scale: { ...y["scale"], paddingInner: 0.45, paddingOuter: 0.4 } };
  const above = {
    data: { values: y["scale"].domain.map((label: string) => ({ [y["field"]]: label })) },
    mark: { type: "text", align: "left", baseline: "middle", dy: -(bars * GROUPED) / 2 - UP },
    encoding: { x: { value: 0 }, y: apart, text: { field: y["field"], type: "nominal" } },
  };
  const rows = layer.map((unit) => (unit["encoding"]?.y?.field === y["field"] ? { ...unit, encoding: { ...unit["encoding"], y: apart } } : unit));
  return { ...spec, height: { step: GROUPED }, layer: [...rows, above] };
}

/** Whether an axis has a row for each name, with the name before it. */
const isNamed = (y: Spec | undefined): boolean => Array.isArray(y?.["scale"]?.domain) && y!["axis"] !== null && (y!["type"] === "nominal" || y!["type"] === "ordinal");

/** A layer whose marks stand in the lower part of their rows. */
function lowered(unit: Spec): Spec {
  const mark: Spec = typeof unit["mark"] === "string" ? { type: unit["mark"] } : { ...unit["mark"] };
  const encoding = { ...unit["encoding"], y: { ...unit["encoding"].y, axis: null } };
  if (mark["type"] === "text") mark["dy"] = (mark["dy"] ?? 0) + DOWN;
  else if (encoding.yOffset?.scale?.domain) {
    // The jitter of dots fills its row; the same dots in the lower half of it.
    const [low, high] = encoding.yOffset.scale.domain;
    encoding.yOffset = { ...encoding.yOffset, scale: { ...encoding.yOffset.scale, domain: [low, high + (high - low) * 0.9] } };
  } else mark["yOffset"] = (mark["yOffset"] ?? 0) + DOWN;
  if (mark["type"] === "bar" || mark["type"] === "rect") mark["height"] = THICK;
  if (mark["type"] === "tick" && typeof mark["size"] === "number") mark["size"] = Math.min(mark["size"], THICK + 3);
  return { ...unit, mark, encoding };
}

/** The names at the ends of a chart's lines, from the top down. */
export function lineNames(spec: Spec): LineName[] {
  const named = (spec["layer"] ?? []).find((unit: Spec) => unit["name"] === `${END}names`);
  const rows: Spec[] = named?.data?.values ?? spec["datasets"]?.[named?.data?.name] ?? [];
  return rows.map((row) => ({ player: String(row["player"]), words: String(row["words"]), key: String(row["key"]), dash: Number(row["dash"]), shape: String(row["shape"]) }));
}

/** The colour of an entry of the chart's scale of colours. */
export function colourOf(spec: Spec, key: string): string {
  for (const unit of spec["layer"] ?? []) {
    const scale = unit.encoding?.color?.scale;
    const place = Array.isArray(scale?.domain) ? scale.domain.indexOf(key) : -1;
    if (place >= 0) return scale.range[place];
  }
  return "currentColor";
}

/** The same chart with every width of its own smaller by so much. */
export function slimmer(spec: Spec, by: number): Spec {
  const made: Spec = { ...spec };
  if (typeof made["width"] === "number") made["width"] = Math.max(80, made["width"] - by);
  for (const inner of ["vconcat", "hconcat"]) if (Array.isArray(made[inner])) made[inner] = made[inner].map((unit: Spec) => slimmer(unit, by));
  return made;
}
