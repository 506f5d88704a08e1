// Whether something goes on now, as far as a page can know: a journal keeps what happened, not who is playing.

/** How long after the last sign of life it still counts as going on. */
const A_WHILE_MS = 60_000;

export interface Lately {
  /** Whether the count has grown within the last minute, while the page was open. */
  readonly grown: boolean;
  /** Whether it has grown at all while the page was open. */
  readonly ever: boolean;
}

/** Watch a count that grows as things happen, for as long as the calling component lives; null while it is not known. */
export function lately(count: () => number | null): Lately {
  let last: number | null = null;
  let grown = $state(false);
  let ever = $state(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  $effect(() => {
    const now = count();
    if (now === null) return;
    if (last !== null && now > last) {
      grown = ever = true;
      clearTimeout(timer);
      timer = setTimeout(() => (grown = false), A_WHILE_MS);
    }
    last = now;
  });
  $effect(() => () => clearTimeout(timer));

  return {
    get grown() {
      return grown;
    },
    get ever() {
      return ever;
    },
  };
}
