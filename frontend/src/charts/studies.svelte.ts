// The studies of the journal, for Compare and Messages.
import { untrack } from "svelte";

import { get } from "../api/client";
import type { Studies } from "../api/types";
import { lab } from "../lib/lab.svelte";
import { type Loaded, load } from "../lib/loaded.svelte";

/** Must be called during a component's setup. An empty list is reloaded whenever the journal changes. After that, the
 * list is not reloaded, so that the page stays stable while games are being played. */
export function loadStudies(): Loaded<Studies> {
  const studies: Loaded<Studies> = load((signal) => {
    if (!untrack(() => studies.data?.studies.length)) void lab.revision;
    return get<Studies>("/studies", {}, { signal });
  });
  return studies;
}
