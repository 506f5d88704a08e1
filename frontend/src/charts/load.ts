// What draws charts, loaded when a chart is first drawn: it is larger than all the rest.
export const drawing = (): Promise<typeof import("./draw")> => import("./draw");
export const picturing = (): Promise<typeof import("./picture")> => import("./picture");
/** Load it before a chart is there to be drawn. */
export const ahead = (): void => void drawing().catch(() => undefined);
/** How far beyond the screen a chart is drawn. */
export const AHEAD = "600px 0px";
