// The names of a replay's regions, with the game's name if a page has several replays.
import { getContext, setContext } from "svelte";

const KEY = Symbol("which of several replays");

/** Provide the name of this replay to all components inside; empty if it is the only one. */
export const offerLandmarks = (which: () => string): void => void setContext(KEY, which);

/** A function that names a region of this replay. */
export function landmarks(): (name: string) => string {
  const which: (() => string) | undefined = getContext(KEY);
  return (name) => [name, which?.() ?? ""].filter(Boolean).join(", ");
}
