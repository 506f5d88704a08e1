// Something that a page asks the server for, asked again whenever what the question depends on changes.
import { ApiError, inWords } from "../api/client";
import { connection } from "../api/connection.svelte";

export class Loaded<T> {
  /** The latest answer; kept while a new one is on its way. */
  data = $state.raw<T>();
  /** Why there is none, in one line. */
  error = $state<string | null>(null);
  /** The HTTP status of that error; 0 where no answer came. */
  status = $state<number | null>(null);
  loading = $state(true);
  #again = $state(0);

  constructor(ask: (signal: AbortSignal) => Promise<T> | null) {
    $effect(() => {
      void this.#again;
      void connection.returns;
      const stop = new AbortController();
      const asked = ask(stop.signal);
      this.loading = asked !== null;
      const settle = (answer: { data: T } | { error: string; status: number | null }): void => {
        if (!stop.signal.aborted) Object.assign(this, { error: null, status: null, loading: false }, answer);
      };
      asked?.then(
        (data) => settle({ data }),
        (problem: unknown) => settle({ error: inWords(problem), status: problem instanceof ApiError ? problem.status : null }),
      );
      return () => stop.abort();
    });
  }

  reload = (): void => void (this.#again += 1);
}

/** Must be called while a component is set up. What `ask` reads before its first `await` is what it depends on; where it
 * gives back null, nothing is asked. An answer that comes too late is dropped. */
export const loaded = <T>(ask: (signal: AbortSignal) => Promise<T> | null): Loaded<T> => new Loaded(ask);
