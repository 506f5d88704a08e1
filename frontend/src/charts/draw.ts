// The only module that uses Vega. Vega is large, so pages load this module only when a chart is near the screen.
import embed, { type EmbedOptions, type VisualizationSpec } from "vega-embed";
import * as vega from "vega";
import { expressionInterpreter } from "vega-interpreter";

import { legibleWords, onDark } from "./inks";
import { slim } from "./narrow";
import { fetches, withInk, type Spec, stretches } from "./specs";

export interface Look {
  /** The Vega-Lite configuration. Its colours are `currentColor`. */
  config: Spec;
  /** True if the chart is drawn on a canvas, and false if each mark is an element of the page. */
  painted: boolean;
  /** True if the theme is dark. */
  dark: boolean;
  width: number;
  /** True if the widths that the chart itself sets may be reduced. */
  narrow?: boolean;
  /** Called with the tooltip of the mark under the pointer, or null. */
  told: (tip: Tip | null) => void;
  /** Called with the datum of a clicked mark. */
  picked?: ((datum: Record<string, unknown>) => void) | undefined;
}

export interface Tip {
  x: number;
  y: number;
  lines: [name: string, value: string][];
}

export interface Drawing {
  resize(width: number): void;
  /** Highlight a legend entry and the pinned players. */
  choose(shown: string | null, pinned: readonly string[]): void;
  end(): void;
}

const refuse = async (): Promise<never> => {
  throw new Error("charts may not fetch data");
};
const NO_LOADER = { load: refuse, sanitize: refuse, http: refuse, file: refuse, options: {} } as unknown as vega.Loader;

const PADDING = { left: 2, right: 10, top: 10, bottom: 4 };
const COMMON: EmbedOptions = { mode: "vega-lite", actions: false, defaultStyle: false, ast: true, expr: expressionInterpreter, loader: NO_LOADER, logLevel: vega.None };

/** Draw a chart into an empty element. */
export async function draw(place: HTMLElement, spec: Spec, look: Look): Promise<Drawing> {
  if (fetches(spec)) throw new Error("it refers to external data");
  const style = getComputedStyle(place);
  // The chart itself has a label, and its figures are also in a table, so its marks need no labels.
  const config = { ...look.config, aria: false, font: style.fontFamily, padding: PADDING };
  const { usermeta: _ignored, ...rest } = spec;
  const wide = stretches(spec);
  const words = legibleWords(look.dark ? onDark(spec) : rest, token("--ink"), token("--card"));
  delete words["usermeta"];
  const sized = wide ? { ...words, width: look.width } : words;
  const options: EmbedOptions = {
    ...COMMON,
    // The colours of SVG follow the page automatically; those of a canvas do not.
    config: look.painted ? withInk(config, style.color) : config,
    renderer: look.painted ? "canvas" : "svg",
    tooltip: tooltip(look.told),
  };
  const prepared = look.painted ? withInk(sized, style.color) : sized;
  let { view, finalize } = await embed(place, prepared as VisualizationSpec, options);
  // The width of a composed chart is known only after it was drawn. A chart that is too wide is drawn again.
  const excess = wide ? 0 : Math.ceil(Number(place.querySelector("svg")?.getAttribute("width") ?? 0) - look.width);
  if (excess > 0 && look.narrow) {
    finalize();
    ({ view, finalize } = await embed(place, slim(prepared, excess) as VisualizationSpec, options));
  }
  const { picked } = look;
  if (picked) view.addEventListener("click", (_event, item) => {
    const datum = (item as { datum?: unknown } | null | undefined)?.datum;
    if (typeof datum === "object" && datum !== null) picked(datum as Record<string, unknown>);
  });
  if (wide) await runLayout(view, look.painted);
  const { signals } = view.getState({ signals: (name) => name === "shown" || name === "pinned", data: () => false }) as { signals: Record<string, unknown> };
  let last = look.width;
  return {
    resize: (width) => {
      if (!wide || width === last) return;
      last = width;
      void runLayout(view.width(width), look.painted);
    },
    choose: (shown, pinned) => {
      if ("shown" in signals) view.signal("shown", shown);
      if ("pinned" in signals) void view.signal("pinned", [...pinned]).runAsync();
    },
    end: () => {
      look.told(null);
      finalize();
      place.replaceChildren();
    },
  };
}

export interface Paint {
  ink: string;
  paper: string;
  font: string;
  width: number;
  /** The number of pixels of the image for each pixel of the drawing. */
  scale: number;
}

/** Draw the chart alone on a canvas of its own. */
export const canvasOf = (spec: Spec, config: Spec, paint: Paint): Promise<HTMLCanvasElement> =>
  renderAlone(spec, config, paint, async (view) => (await view.toCanvas(paint.scale)) as unknown as HTMLCanvasElement);

/** Return the chart alone as an SVG document. */
export const svgOf = (spec: Spec, config: Spec, paint: Paint): Promise<string> => renderAlone(spec, config, paint, (view) => view.toSVG());

async function renderAlone<T>(spec: Spec, config: Spec, { ink, paper, font, width }: Paint, take: (view: vega.View) => Promise<T>): Promise<T> {
  if (fetches(spec)) throw new Error("it refers to external data");
  const { usermeta: _ignored, ...rest } = spec;
  const wide = stretches(spec);
  const words = legibleWords(rest, ink, paper);
  const prepared = withInk(wide ? { ...words, width } : words, ink) as VisualizationSpec;
  const look = withInk({ ...config, aria: false, font, background: paper, padding: PADDING }, ink);
  const options: EmbedOptions = { ...COMMON, renderer: "canvas", tooltip: false, config: look };
  const { view, finalize } = await embed(document.createElement("div"), prepared, options);
  try {
    // Labels move with their bars, so the layout needs as many steps as on the page.
    if (wide) await runLayout(view, false);
    return await take(view);
  } finally {
    finalize();
  }
}

/** Repeat the layout of Vega. Each step makes room for content at the right, based on the previous step, and labels move
 * with their bars. */
async function runLayout(view: vega.View, painted: boolean): Promise<void> {
  for (let step = 0; step < (painted ? 1 : 3); step += 1) await view.resize().runAsync();
}

/** A current colour of the page. */
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function tooltip(told: Look["told"]): vega.TooltipHandler {
  return (_handler, event, _item, value) => {
    if (value === null || value === undefined || value === "") return told(null);
    const lines: Tip["lines"] =
      typeof value === "object" ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [["", String(value)]];
    told({ x: event.clientX, y: event.clientY, lines });
  };
}

// Vega's types do not declare the formats of numbers.
const locale = (vega as unknown as { defaultLocale(): { format(format: string): (value: number) => string } }).defaultLocale();

/** Return a number in the format of the chart's tooltips. */
export function figure(value: unknown, format: string | null): string {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  return locale.format(format ?? ",~r")(value);
}
