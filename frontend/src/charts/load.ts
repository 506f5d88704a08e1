// The code that draws charts. It is loaded when a chart is first drawn, because it is larger than all other code.
export const loadDrawing = (): Promise<typeof import("./draw")> => import("./draw");
export const loadPicture = (): Promise<typeof import("./picture")> => import("./picture");
/** Load the drawing code in advance. */
export const preloadDrawing = (): void => void loadDrawing().catch(() => undefined);
/** The distance from the screen within which a chart is drawn. */
export const DRAW_MARGIN = "600px 0px";
