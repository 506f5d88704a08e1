// The remaining time, in seconds.
export interface Clock {
  /** The number of whole seconds that remain, rounded up. */
  readonly seconds: number;
  /** The remaining share of the time limit, from 1 to 0. */
  readonly part: number;
}

const TICK = 250;

/** Must be called during a component's setup. */
export function clock(deadline: () => number, limit: () => number): Clock {
  let now = $state(Date.now());
  $effect(() => {
    void deadline();
    now = Date.now();
    const timer = setInterval(() => (now = Date.now()), TICK);
    return () => clearInterval(timer);
  });
  return {
    get seconds() {
      return Math.max(0, Math.ceil((deadline() - now) / 1000));
    },
    get part() {
      return Math.min(1, Math.max(0, (deadline() - now) / (1000 * limit())));
    },
  };
}

/** Return a time such as '4:05'; an hour and more as '1:04:05'. */
export function minutes(seconds: number): string {
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  const tail = String(rest % 60).padStart(2, "0");
  const middle = Math.floor(rest / 60);
  return hours ? `${hours}:${String(middle).padStart(2, "0")}:${tail}` : `${middle}:${tail}`;
}
