// What the regions of a replay are called: where several are on a page, each with the game that it belongs to.
import { getContext, setContext } from "svelte";

const KEY = Symbol("which of several replays");

/** Say which of several replays this is to all that is inside a component; empty where it is the only one. */
export const offerLandmarks = (which: () => string): void => void setContext(KEY, which);

/** What names a region of this replay. */
export function landmarks(): (name: string) => string {
  const which: (() => string) | undefined = getContext(KEY);
  return (name) => [name, which?.() ?? ""].filter(Boolean).join(", ");
}
