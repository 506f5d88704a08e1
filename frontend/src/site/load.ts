// The same for a published site: a separate script, loaded when a chart is on the screen.
import { script } from "./files";

type Drawing = typeof import("../charts/draw") & typeof import("../charts/picture");

let loaded: Promise<Drawing> | undefined;

export function loadDrawing(): Promise<Drawing> {
  loaded ??= script("./site/draw.js").then(() => (window as unknown as { ostromDrawing: Drawing }).ostromDrawing);
  return loaded;
}
export const loadPicture = loadDrawing;
/** Not loaded in advance, as the first view of a site is a table and must be light. */
export const preloadDrawing = (): void => undefined;
export const DRAW_MARGIN = "0px";
