// Something that a page asks the server for, asked again whenever what the question depends on changes.
import { ApiError, inWords } from "../api/client";
import { connection } from "../api/connection.svelte";

export interface Loaded<T> {
  /** The latest answer; kept while a new one is on its way. */
  readonly data: T | undefined;
  /** Why there is none, in one line. */
  readonly error: string | null;
  /** The HTTP status of that error; 0 where no answer came. */
  readonly status: number | null;
  readonly loading: boolean;
  reload(): void;
}

/** Must be called while a component is set up. What `ask` reads before its first `await` is what it depends on; where it
 * gives back null, nothing is asked. An answer that comes too late is dropped. */
export function loaded<T>(ask: (signal: AbortSignal) => Promise<T> | null): Loaded<T> {
  let data = $state.raw<T>();
  let error = $state<string | null>(null);
  let status = $state<number | null>(null);
  let loading = $state(true);
  let again = $state(0);

  $effect(() => {
    void again;
    void connection.returns;
    const stop = new AbortController();
    const asked = ask(stop.signal);
    if (!asked) {
      loading = false;
      return;
    }
    loading = true;
    asked.then(
      (answer) => {
        if (stop.signal.aborted) return;
        data = answer;
        error = status = null;
        loading = false;
      },
      (problem: unknown) => {
        if (stop.signal.aborted) return;
        error = inWords(problem);
        status = problem instanceof ApiError ? problem.status : null;
        loading = false;
      },
    );
    return () => stop.abort();
  });

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get status() {
      return status;
    },
    get loading() {
      return loading;
    },
    reload: () => (again += 1),
  };
}
