// The moment of a replay in the address bar: `?at=N`, N events seen.
import { keep, route } from "../../lib/router.svelte";

/** Browsers refuse an address that changes many times a second, so a playing replay writes it now and then. */
const PAUSE_MS = 500;

/** The moment that the address names, or `null`. */
export function askedMoment(): number | null {
  const text = route.query.get("at") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export interface MomentKeeper {
  /** Keep a moment in the address, the latest one in the end; `null` takes it away. */
  note: (at: number | null) => void;
  /** The moment noted last, whether or not it is written yet. */
  noted: () => number | null;
  /** Take over a moment that somebody else wrote. */
  take: (at: number | null) => void;
  close: () => void;
}

const path = (): string => location.hash.split("?", 1)[0]!;

export function momentKeeper(): MomentKeeper {
  const page = path();
  let latest = askedMoment();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let written = -PAUSE_MS;

  function rest(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }
  function write(): void {
    rest();
    written = performance.now();
    // Whoever has gone on to another page takes no moment along.
    if (path() === page) keep({ at: latest });
  }

  return {
    note(at) {
      if (at === latest) return;
      latest = at;
      const wait = written + PAUSE_MS - performance.now();
      if (wait <= 0) write();
      else timer ??= setTimeout(write, wait);
    },
    noted: () => latest,
    take(at) {
      rest();
      latest = at;
    },
    close: rest,
  };
}
