// Seconds that have passed since a state was received, so that clocks on the page go on between two states.
export class Elapsed {
  #now = $state(Date.now());
  #since: () => number;

  constructor(since: () => number) {
    this.#since = since;
    $effect(() => {
      const timer = setInterval(() => (this.#now = Date.now()), 1000);
      return () => clearInterval(timer);
    });
  }

  get seconds(): number {
    return Math.max(0, (this.#now - this.#since()) / 1000);
  }
}
