// Charts on a narrow screen. Names are above bars, the names of lines are in a list below the chart, and panels are
// below each other. No part of a chart is omitted, and no chart scrolls sideways.
import type { Spec } from "./specs";

/** The smallest width in pixels at which there is space for bars next to their names. */
export const NARROW = 520;
const STEP = 38;
/** The distances from the middle of a row down to its mark and up to its name. */
const MARK_OFFSET = 9;
const NAME_OFFSET = 10;
const BAR_HEIGHT = 14;
/** The height of one of several bars in a row. */
const GROUPED_BAR_HEIGHT = 20;
/** The default spacing of panels, and the approximate width of a letter. */
const PANEL_SPACING = 20;
const LETTER_WIDTH = 6;
/** The prefix of layers that name lines at their ends, as in ostrom.charts.lines. */
const END_PREFIX = "end_";

/** The name of a line with its symbol. */
export interface LineName {
  player: string;
  words: string;
  key: string;
  dash: number;
  shape: string;
}

export function narrowSpec(spec: Spec): Spec {
  if (Array.isArray(spec["hconcat"])) {
    const { hconcat, ...rest } = spec;
    // Panels next to the first one need no row names of their own; panels below it do.
    return { ...rest, vconcat: hconcat.map((panel: Spec) => narrowSpec(withNames(panel, {}))) };
  }
  if (Array.isArray(spec["vconcat"])) return { ...spec, vconcat: spec["vconcat"].map(narrowSpec) };
  if (!Array.isArray(spec["layer"])) return spec;
  const layer = spec["layer"].filter((unit: Spec) => !String(unit["name"] ?? "").startsWith(END_PREFIX));
  const named = layer.find((unit: Spec) => isNamed(unit["encoding"]?.y));
  if (!named) return { ...spec, layer };
  if (layer.some(isGrouped)) return grouped(spec, layer, named.encoding.y);
  const y = named.encoding.y;
  const names = { ...y, axis: null };
  const above = {
    data: { values: y.scale.domain.map((label: string) => ({ [y.field]: label })) },
    mark: { type: "text", align: "left", baseline: "middle", dy: -NAME_OFFSET },
    encoding: { x: { value: 0 }, y: names, text: { field: y.field, type: "nominal" } },
  };
  const rows = layer.map((unit: Spec) => (unit["encoding"]?.y?.field === y.field ? lowerMarks(unit) : unit));
  return { ...spec, height: { step: STEP }, layer: [...rows, above] };
}

/** Place panels side by side, in as many rows as this width needs. Each row begins with the names. */
export function wrapPanels(spec: Spec, width: number): Spec {
  const { hconcat, spacing = PANEL_SPACING, ...rest } = spec;
  if (!Array.isArray(hconcat) || !hconcat.every((panel: Spec) => typeof panel["width"] === "number")) return spec;
  const named = rowsOf(hconcat[0]);
  if (!named || namesWidth(named) + panelsWidth(hconcat, spacing) <= width) return spec;
  const rows: Spec[][] = [];
  for (const panel of hconcat as Spec[]) {
    const last = rows.at(-1);
    if (last && namesWidth(named) + panelsWidth([...last, panel], spacing) <= width) last.push(panel);
    else rows.push([rows.length ? withNames(panel, named["axis"]) : panel]);
  }
  return { ...rest, vconcat: rows.map((row) => ({ hconcat: row, spacing })) };
}

/** The width of panels side by side with their titles, and the approximate width of the row names before the panels. */
const panelsWidth = (panels: Spec[], spacing: number): number => panels.reduce((sum, panel) => sum + Math.max(Number(panel["width"]), titleWidth(panel)) + spacing, -spacing);
const titleWidth = ({ title }: Spec): number => Math.max(7 * String(title?.text ?? title ?? "").length, LETTER_WIDTH * String(title?.subtitle ?? "").length);
const namesWidth = (y: Spec): number => 14 + LETTER_WIDTH * Math.max(...y["scale"].domain.map((name: unknown) => String(name).length));

/** Return the axis of a panel that has a row for each name, whether or not it shows the names. */
function rowsOf(panel: Spec): Spec | undefined {
  return (Array.isArray(panel["layer"]) ? panel["layer"] : [panel]).map((unit: Spec) => unit["encoding"]?.y).find((y: Spec | undefined) => Array.isArray(y?.["scale"]?.domain));
}

/** Return a panel with the names of its rows. Without this, a panel may rely on the panel before it for these names. */
function withNames(panel: Spec, axis: unknown): Spec {
  if (rowsOf(panel)?.["axis"] !== null || !Array.isArray(panel["layer"])) return panel;
  const layer = panel["layer"].map((unit: Spec) => (unit["encoding"]?.y?.axis === null ? { ...unit, encoding: { ...unit["encoding"], y: { ...unit["encoding"].y, axis } } } : unit));
  return { ...panel, layer };
}

/** True if a row has several marks of a layer, one below the other. */
const isGrouped = (unit: Spec): boolean => unit["encoding"]?.yOffset?.type === "nominal";

/** Return rows with several bars each. There is more space between rows, and names are above their bars. */
function grouped(spec: Spec, layer: Spec[], y: Spec): Spec {
  const bars = Number(layer.find(isGrouped)?.["encoding"].yOffset.scale?.domain?.length ?? 1);
  const apart = { ...y, axis: null, scale: { ...y["scale"], paddingInner: 0.45, paddingOuter: 0.4 } };
  const above = {
    data: { values: y["scale"].domain.map((label: string) => ({ [y["field"]]: label })) },
    mark: { type: "text", align: "left", baseline: "middle", dy: -(bars * GROUPED_BAR_HEIGHT) / 2 - NAME_OFFSET },
    encoding: { x: { value: 0 }, y: apart, text: { field: y["field"], type: "nominal" } },
  };
  const rows = layer.map((unit) => (unit["encoding"]?.y?.field === y["field"] ? { ...unit, encoding: { ...unit["encoding"], y: apart } } : unit));
  return { ...spec, height: { step: GROUPED_BAR_HEIGHT }, layer: [...rows, above] };
}

/** True if an axis has a named row for each name. */
const isNamed = (y: Spec | undefined): boolean => Array.isArray(y?.["scale"]?.domain) && y!["axis"] !== null && (y!["type"] === "nominal" || y!["type"] === "ordinal");

/** Return a layer whose marks are in the lower part of their rows. */
function lowerMarks(unit: Spec): Spec {
  const mark: Spec = typeof unit["mark"] === "string" ? { type: unit["mark"] } : { ...unit["mark"] };
  const encoding = { ...unit["encoding"], y: { ...unit["encoding"].y, axis: null } };
  if (mark["type"] === "text") mark["dy"] = (mark["dy"] ?? 0) + MARK_OFFSET;
  else if (encoding.yOffset?.scale?.domain) {
    // Jittered dots fill the whole row, so they are moved into its lower half.
    const [low, high] = encoding.yOffset.scale.domain;
    encoding.yOffset = { ...encoding.yOffset, scale: { ...encoding.yOffset.scale, domain: [low, high + (high - low) * 0.9] } };
  } else mark["yOffset"] = (mark["yOffset"] ?? 0) + MARK_OFFSET;
  if (mark["type"] === "bar" || mark["type"] === "rect") mark["height"] = BAR_HEIGHT;
  if (mark["type"] === "tick" && typeof mark["size"] === "number") mark["size"] = Math.min(mark["size"], BAR_HEIGHT + 3);
  return { ...unit, mark, encoding };
}

/** Return the names at the ends of a chart's lines, from top to bottom. */
export function lineNames(spec: Spec): LineName[] {
  const named = (spec["layer"] ?? []).find((unit: Spec) => unit["name"] === `${END_PREFIX}names`);
  const rows: Spec[] = named?.data?.values ?? spec["datasets"]?.[named?.data?.name] ?? [];
  return rows.map((row) => ({ player: String(row["player"]), words: String(row["words"]), key: String(row["key"]), dash: Number(row["dash"]), shape: String(row["shape"]) }));
}

/** Return the colour of an entry in the chart's scale of colours. */
export function colourOf(spec: Spec, key: string): string {
  for (const unit of spec["layer"] ?? []) {
    const scale = unit.encoding?.color?.scale;
    const place = Array.isArray(scale?.domain) ? scale.domain.indexOf(key) : -1;
    if (place >= 0) return scale.range[place];
  }
  return "currentColor";
}

/** Return the chart with each of the widths that it sets reduced by `by`. */
export function slim(spec: Spec, by: number): Spec {
  const result: Spec = { ...spec };
  if (typeof result["width"] === "number") result["width"] = Math.max(80, result["width"] - by);
  for (const inner of ["vconcat", "hconcat"]) if (Array.isArray(result[inner])) result[inner] = result[inner].map((unit: Spec) => slim(unit, by));
  return result;
}
