// How an answer is written, as counts and times only. What is typed is never recorded.
import type { Trace } from "../../api/types";

/** Keys that enter nothing. */
const SILENT = new Set(["Tab", "Shift", "Control", "Alt", "Meta", "Escape", "CapsLock", "AltGraph"]);

export class TraceRecorder {
  #start = 0;
  #trace: Trace = empty();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.begin();
  }

  /** Begin the trace of another question. */
  begin(): void {
    this.#start = this.#now();
    this.#trace = empty();
  }

  /** Record from a page until the returned function is called. */
  record(page: Document, view: Window): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    page.addEventListener("keydown", (event) => this.key(event.key), { signal, capture: true });
    page.addEventListener("paste", () => (this.#trace.pastes! += 1), { signal, capture: true });
    page.addEventListener("input", (event) => this.entered((event as InputEvent).data ?? null), { signal, capture: true });
    view.addEventListener("blur", () => (this.#trace.focus_lost! += 1), { signal });
    return () => stop.abort();
  }

  /** Count a key. */
  key(name: string): void {
    if (SILENT.has(name)) return;
    this.#trace.keys! += 1;
    this.#trace.first_key_s ??= this.#seconds();
  }

  /** Count the characters of an entry. */
  entered(text: string | null): void {
    this.#trace.characters! += text?.length ?? 0;
  }

  /** Return the numbers so far. */
  read(): Trace {
    return { ...this.#trace, total_s: this.#seconds() };
  }

  #seconds(): number {
    return Math.round(this.#now() - this.#start) / 1000;
  }
}

const empty = (): Trace => ({ pastes: 0, keys: 0, characters: 0, focus_lost: 0, first_key_s: null, total_s: null });
