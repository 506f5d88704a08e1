// Data from the server, reloaded whenever its dependencies change.
import { ApiError, messageOf } from "../api/client";
import { connection } from "../api/connection.svelte";
import { setQuery } from "./router.svelte";

export class Loaded<T> {
  /** The latest reply. It is kept while a new one is loading. */
  data = $state.raw<T>();
  /** The error as a message of one line. */
  error = $state<string | null>(null);
  /** The HTTP status of the error; 0 if there was no reply. */
  status = $state<number | null>(null);
  loading = $state(true);
  #reloads = $state(0);

  constructor(ask: (signal: AbortSignal) => Promise<T> | null) {
    $effect(() => {
      void this.#reloads;
      void connection.returns;
      const stop = new AbortController();
      const request = ask(stop.signal);
      this.loading = request !== null;
      const settle = (answer: { data: T } | { error: string; status: number | null }): void => {
        if (!stop.signal.aborted) Object.assign(this, { error: null, status: null, loading: false }, answer);
      };
      request?.then(
        (data) => settle({ data }),
        (problem: unknown) => settle({ error: messageOf(problem), status: problem instanceof ApiError ? problem.status : null }),
      );
      return () => stop.abort();
    });
  }

  reload = (): void => void (this.#reloads += 1);
}

/** Must be called during a component's setup. The dependencies are the values that `ask` reads before its first `await`.
 * If `ask` returns null, nothing is loaded. Replies that are outdated are dropped. */
export const load = <T>(ask: (signal: AbortSignal) => Promise<T> | null): Loaded<T> => new Loaded(ask);

/** Go to the first page of a list if the offset is beyond the end, as in an old link. Must be called during a component's
 * setup. */
export function clampOffset<T extends { total: number }>(list: Loaded<T>, rows: (page: T) => number): void {
  $effect(() => {
    if (list.data && !list.loading && list.data.total > 0 && rows(list.data) === 0) setQuery({ offset: null });
  });
}
