// What can be compared and searched, as Compare and Messages ask for it.
import { untrack } from "svelte";

import { get } from "../api/client";
import type { Studies } from "../api/types";
import { lab } from "../lib/lab.svelte";
import { type Loaded, loaded } from "../lib/loaded.svelte";

/** Must be called while a component is set up. While there is nothing it is asked for again whenever the journal grows;
 * later the page stands still, so that nothing moves under the reader while games are being played. */
export function loadedStudies(): Loaded<Studies> {
  const studies: Loaded<Studies> = loaded((signal) => {
    if (!untrack(() => studies.data?.studies.length)) void lab.revision;
    return get<Studies>("/studies", {}, { signal });
  });
  return studies;
}
