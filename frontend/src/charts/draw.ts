// The one place that knows Vega: it is large, so pages load this file only when a chart comes near the screen.
import embed, { type EmbedOptions, type VisualizationSpec } from "vega-embed";
import * as vega from "vega";
import { expressionInterpreter } from "vega-interpreter";

import { legibleWords, onDark } from "./inks";
import { slimmer } from "./narrow";
import { fetches, inked, type Spec, stretches } from "./specs";

export interface Look {
  /** The Vega-Lite configuration; its inks are `currentColor`. */
  config: Spec;
  /** Paint the marks, and do not keep each as an element. */
  painted: boolean;
  /** Whether the paper is dark. */
  dark: boolean;
  width: number;
  /** Whether widths that the chart has of its own give way. */
  narrow?: boolean;
  /** Called with what a mark under the pointer says, or null. */
  told: (tip: Tip | null) => void;
  /** Called with what a mark stands for when it is clicked. */
  picked?: ((datum: Record<string, unknown>) => void) | undefined;
}

export interface Tip {
  x: number;
  y: number;
  lines: [name: string, value: string][];
}

export interface Drawing {
  resize(width: number): void;
  /** Light up an entry of the legend, and the players that are pinned. */
  choose(shown: string | null, pinned: readonly string[]): void;
  end(): void;
}

const refuse = async (): Promise<never> => {
  throw new Error("a chart fetches nothing");
};
const closed = { load: refuse, sanitize: refuse, http: refuse, file: refuse, options: {} } as unknown as vega.Loader;

const PADDING = { left: 2, right: 10, top: 10, bottom: 4 };
const COMMON: EmbedOptions = { mode: "vega-lite", actions: false, defaultStyle: false, ast: true, expr: expressionInterpreter, loader: closed, logLevel: vega.None };

/** Draw a chart into an element that holds nothing else. */
export async function draw(place: HTMLElement, spec: Spec, look: Look): Promise<Drawing> {
  if (fetches(spec)) throw new Error("it asks for data from elsewhere");
  const style = getComputedStyle(place);
  // The picture as a whole has a name, and its figures are a table beside it: marks need no names of their own.
  const config = { ...look.config, aria: false, font: style.fontFamily, padding: PADDING };
  const { usermeta: _ignored, ...rest } = spec;
  const wide = stretches(spec);
  const words = legibleWords(look.dark ? onDark(spec) : rest, token("--ink"), token("--card"));
  delete words["usermeta"];
  const sized = wide ? { ...words, width: look.width } : words;
  const options: EmbedOptions = {
    ...COMMON,
    // SVG follows the page's colours by itself; paint must be told them.
    config: look.painted ? inked(config, style.color) : config,
    renderer: look.painted ? "canvas" : "svg",
    tooltip: tooltip(look.told),
  };
  const given = look.painted ? inked(sized, style.color) : sized;
  let { view, finalize } = await embed(place, given as VisualizationSpec, options);
  // Charts put together of several say how wide they are once they are drawn; too wide ones are drawn again.
  const over = wide ? 0 : Math.ceil(Number(place.querySelector("svg")?.getAttribute("width") ?? 0) - look.width);
  if (over > 0 && look.narrow) {
    finalize();
    ({ view, finalize } = await embed(place, slimmer(given, over) as VisualizationSpec, options));
  }
  const { picked } = look;
  if (picked) view.addEventListener("click", (_event, item) => {
    const datum = (item as { datum?: unknown } | null | undefined)?.datum;
    if (typeof datum === "object" && datum !== null) picked(datum as Record<string, unknown>);
  });
  if (wide) await settled(view, look.painted);
  const { signals } = view.getState({ signals: (name) => name === "shown" || name === "pinned", data: () => false }) as { signals: Record<string, unknown> };
  let last = look.width;
  return {
    resize: (width) => {
      if (!wide || width === last) return;
      last = width;
      void settled(view.width(width), look.painted);
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
  /** Pixels of the picture for each of the drawing. */
  scale: number;
}

/** The chart by itself, painted on a canvas of its own. */
export const paintedOn = (spec: Spec, config: Spec, paint: Paint): Promise<HTMLCanvasElement> =>
  alone(spec, config, paint, async (view) => (await view.toCanvas(paint.scale)) as unknown as HTMLCanvasElement);

/** The chart by itself, as an SVG document. */
export const svgOf = (spec: Spec, config: Spec, paint: Paint): Promise<string> => alone(spec, config, paint, (view) => view.toSVG());

async function alone<T>(spec: Spec, config: Spec, { ink, paper, font, width }: Paint, take: (view: vega.View) => Promise<T>): Promise<T> {
  if (fetches(spec)) throw new Error("it asks for data from elsewhere");
  const { usermeta: _ignored, ...rest } = spec;
  const wide = stretches(spec);
  const words = legibleWords(rest, ink, paper);
  const given = inked(wide ? { ...words, width } : words, ink) as VisualizationSpec;
  const look = inked({ ...config, aria: false, font, background: paper, padding: PADDING }, ink);
  const options: EmbedOptions = { ...COMMON, renderer: "canvas", tooltip: false, config: look };
  const { view, finalize } = await embed(document.createElement("div"), given, options);
  try {
    // Words beside bars move with the bars: as many steps as on the page.
    if (wide) await settled(view, false);
    return await take(view);
  } finally {
    finalize();
  }
}

/** Vega makes room for what stands out at the right in one step, from where it stood before; words beside bars move with
 * the bars, so that takes some more. */
async function settled(view: vega.View, painted: boolean): Promise<void> {
  for (let step = 0; step < (painted ? 1 : 3); step += 1) await view.resize().runAsync();
}

/** A colour of the page, as it is now. */
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function tooltip(told: Look["told"]): vega.TooltipHandler {
  return (_handler, event, _item, value) => {
    if (value === null || value === undefined || value === "") return told(null);
    const lines: Tip["lines"] =
      typeof value === "object" ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [["", String(value)]];
    told({ x: event.clientX, y: event.clientY, lines });
  };
}

// Vega's types leave out its number formats.
const locale = (vega as unknown as { defaultLocale(): { format(format: string): (value: number) => string } }).defaultLocale();

/** A figure as the chart's tooltips say it. */
export function figure(value: unknown, format: string | null): string {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  return locale.format(format ?? ",~r")(value);
}
