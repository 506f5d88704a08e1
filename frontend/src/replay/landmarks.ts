// The names of a replay's regions. They include the name of the game if the page has several replays.
import { getContext, setContext } from "svelte";

const KEY = Symbol("which of several replays");

/** Provide the name of this replay to all components inside. The name is empty if it is the only replay. */
export const offerLandmarks = (which: () => string): void => void setContext(KEY, which);

/** Return a function that names a region of this replay. */
export function landmarks(): (name: string) => string {
  const which: (() => string) | undefined = getContext(KEY);
  return (name) => [name, which?.() ?? ""].filter(Boolean).join(", ");
}
