// The state that all pages of the lab share: the server's description, and the journal's revision.
import { ApiError, get, stream } from "../api/client";
import type { LabInfo } from "../api/types";
import { loadNames } from "./names.svelte";
import { theme } from "./theme.svelte";

/** The minimum time between two loads of the names. */
const NAMES_EVERY_MS = 5000;

export const lab = $state<{
  /** The journal's revision. Code that reads it runs again when the journal changes. */
  revision: number;
  info: LabInfo | null;
}>({ revision: -1, info: null });

/** Follow the journal until the returned function is called. */
export function followJournal(): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = ({ revision }: { revision: number }): void => {
    lab.revision = revision;
    timer ??= setTimeout(() => ((timer = undefined), void loadNames(stop.signal)), NAMES_EVERY_MS);
  };
  void stream("/live", { changed }, stop.signal, {
    opened: () => (void loadInfo(stop.signal), void loadNames(stop.signal)),
  });
  return () => (clearTimeout(timer), stop.abort());
}

async function loadInfo(signal: AbortSignal): Promise<void> {
  try {
    lab.info = await get<LabInfo>("/lab", {}, { signal });
    if (lab.revision < lab.info.revision) lab.revision = lab.info.revision;
  } catch (error) {
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
}

/** Return a player's colour in the current theme. The server sends the colours for the dark theme. */
export const shownInk = (colour: string): string => (theme.shown === "dark" ? (lab.info?.inks[colour] ?? colour) : colour);
