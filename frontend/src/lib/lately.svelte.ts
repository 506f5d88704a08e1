// Whether something goes on now, as far as a page can know: a journal keeps what happened, not who is playing.

/** How long after the last sign of life it still counts as going on. */
const A_WHILE_MS = 60_000;

class Lately {
  /** Whether the count has grown within the last minute, while the page was open. */
  grown = $state(false);
  /** Whether it has grown at all while the page was open. */
  ever = $state(false);

  constructor(count: () => number | null) {
    let last: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    $effect(() => {
      const now = count();
      if (now === null) return;
      if (last !== null && now > last) {
        this.grown = this.ever = true;
        clearTimeout(timer);
        timer = setTimeout(() => (this.grown = false), A_WHILE_MS);
      }
      last = now;
    });
    $effect(() => () => clearTimeout(timer));
  }
}

/** Watch a count that grows as things happen, for as long as the calling component lives; null while it is not known. */
export const lately = (count: () => number | null): Lately => new Lately(count);
