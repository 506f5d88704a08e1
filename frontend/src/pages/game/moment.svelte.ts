// The moment of a replay in the address: `?at=N` means after N events.
import { setQuery, route } from "../../lib/router.svelte";

/** Browsers limit how often the address can be changed, so a replay that is playing writes it at this interval. */
const PAUSE_MS = 500;

/** Return the moment in the address, or `null`. */
export function addressMoment(): number | null {
  const text = route.query.get("at") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export interface MomentKeeper {
  /** Write a moment to the address, at the latest after a pause. `null` removes the moment. */
  note: (at: number | null) => void;
  /** Return the last moment, even if it has not been written yet. */
  noted: () => number | null;
  /** Adopt a moment from a link. */
  take: (at: number | null) => void;
  close: () => void;
}

const path = (): string => location.hash.split("?", 1)[0]!;

export function momentKeeper(): MomentKeeper {
  const page = path();
  let latest = addressMoment();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let writtenAt = -PAUSE_MS;

  function clearTimer(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }
  function write(): void {
    clearTimer();
    writtenAt = performance.now();
    // The moment of this page must not be written to the address of another page.
    if (path() === page) setQuery({ at: latest });
  }

  return {
    note(at) {
      if (at === latest) return;
      latest = at;
      const wait = writtenAt + PAUSE_MS - performance.now();
      if (wait <= 0) write();
      else timer ??= setTimeout(write, wait);
    },
    noted: () => latest,
    take(at) {
      clearTimer();
      latest = at;
    },
    close: clearTimer,
  };
}
