// What the shell knows for all pages of the lab: the server itself, and the journal's revision as it grows.
import { ApiError, get, stream } from "../api/client";
import type { LabInfo } from "../api/types";
import { loadNames } from "./names.svelte";

/** Names are asked for again at most so often while a journal grows. */
const NAMES_EVERY_MS = 5000;

export const lab = $state<{
  /** The journal's revision: read it where something is to be loaded anew when the journal changes. */
  revision: number;
  info: LabInfo | null;
}>({ revision: -1, info: null });

/** Follow the journal until the returned function is called. */
export function watched(): () => void {
  const stop = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changed = ({ revision }: { revision: number }): void => {
    lab.revision = revision;
    waiting ??= setTimeout(() => ((waiting = undefined), void loadNames(stop.signal)), NAMES_EVERY_MS);
  };
  void stream("/live", { changed }, stop.signal, {
    opened: () => (void introduced(stop.signal), void loadNames(stop.signal)),
  });
  return () => (clearTimeout(waiting), stop.abort());
}

async function introduced(signal: AbortSignal): Promise<void> {
  try {
    lab.info = await get<LabInfo>("/lab", {}, { signal });
    if (lab.revision < lab.info.revision) lab.revision = lab.info.revision;
  } catch (error) {
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
}
