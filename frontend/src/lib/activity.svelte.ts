// Recent activity, as far as a page can know it. A journal has past events, but does not know who is playing now.

/** The time after the last change for which something counts as active. */
const ACTIVE_MS = 60_000;

class Activity {
  /** True if the count has increased within the last minute, while the page was open. */
  grown = $state(false);
  /** True if the count has increased while the page was open. */
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
        timer = setTimeout(() => (this.grown = false), ACTIVE_MS);
      }
      last = now;
    });
    $effect(() => () => clearTimeout(timer));
  }
}

/** Watch a count of events until the calling component is removed. If the count is null, it is unknown. */
export const activity = (count: () => number | null): Activity => new Activity(count);
