// The same in a published site: a script of its own, which comes when a chart is on the screen.
import { script } from "./files";

type Drawing = typeof import("../charts/draw") & typeof import("../charts/picture");

let loaded: Promise<Drawing> | undefined;

export function drawing(): Promise<Drawing> {
  loaded ??= script("./site/draw.js").then(() => (window as unknown as { ostromDrawing: Drawing }).ostromDrawing);
  return loaded;
}
export const picturing = drawing;
/** Nothing comes before its time: the first view of a site shows a table, and is to be light. */
export const ahead = (): void => undefined;
export const AHEAD = "0px";
