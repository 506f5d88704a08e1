// The code that draws charts in a published site. It is a separate script, which is loaded when a chart is on the
// screen.
import { script } from "./files";

type Drawing = typeof import("../charts/draw") & typeof import("../charts/picture");

let loaded: Promise<Drawing> | undefined;

export function loadDrawing(): Promise<Drawing> {
  loaded ??= script("./site/draw.js").then(() => (window as unknown as { ostromDrawing: Drawing }).ostromDrawing);
  return loaded;
}
export const loadPicture = loadDrawing;
/** The code is not loaded in advance, because the first view of a site is a table and must load quickly. */
export const preloadDrawing = (): void => undefined;
export const DRAW_MARGIN = "0px";
