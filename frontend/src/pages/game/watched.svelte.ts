// A game as a page watches it: its head and its record, which grows while the game is being played.
import { ApiError, get, getText, inWords, stream } from "../../api/client";
import { connection } from "../../api/connection.svelte";
import type { ExperimentDetail, GameHead, GameState } from "../../api/types";
import { lately } from "../../lib/lately.svelte";
import { extended, readRecord, type GameEvent, type GameRecord } from "../../replay/record";
import type { Telling } from "../../replay/scene";

interface Happened {
  first: number;
  events: GameEvent[];
  told: Telling[];
}

export interface Watched {
  readonly head: GameHead | null;
  readonly record: GameRecord | null;
  readonly state: GameState | null;
  /** Whether it goes on right now: this server plays it, or something has just happened. */
  readonly alive: boolean;
  /** Whether something happened while the page was open. */
  readonly stirred: boolean;
  /** Why there is nothing to show, in one line. */
  readonly error: string | null;
  /** Whether the journal has no such game. */
  readonly unknown: boolean;
  reload(): void;
}

/** How often a server is asked whether it plays the game itself. */
const ASKED_EVERY_MS = 15_000;

/** Watch a game for as long as the calling component lives. */
export function watchGame(id: string): Watched {
  const path = `/games/${encodeURIComponent(id)}`;
  let head = $state.raw<GameHead | null>(null);
  let record = $state.raw<GameRecord | null>(null);
  let state = $state<GameState | null>(null);
  let error = $state<string | null>(null);
  let unknown = $state(false);
  let again = $state(0);
  let hosted = $state(false);
  let missing = false;

  const events = lately(() => record?.events.length ?? null);

  async function askHosted(experiment: string, signal: AbortSignal): Promise<void> {
    hosted = (await get<ExperimentDetail>(`/experiments/${encodeURIComponent(experiment)}`, {}, { signal })).running;
  }

  async function load(signal: AbortSignal): Promise<void> {
    const [found, text] = await Promise.all([get<GameHead>(path, {}, { signal }), getText(`${path}/record`, {}, { signal })]);
    if (found.state === "playing") await askHosted(found.experiment, signal);
    head = found;
    record = readRecord(text);
    state = found.state;
    error = null;
    unknown = false;
  }

  async function watch(signal: AbortSignal): Promise<void> {
    await load(signal);
    if (state !== "playing") return;
    const hear = ({ first, events, told }: Happened): boolean => {
      const known = record!.events.length;
      if (first > known) {
        // Something was missed on the way: the game is read from the beginning.
        again += 1;
        return false;
      }
      if (first + events.length > known) record = extended(record!, events.slice(known - first), told.slice(known - first));
      return true;
    };
    const settle = ({ state: now }: { state: GameState }): boolean => {
      state = now;
      return now === "playing";
    };
    await stream(() => `${path}/live?first=${record!.events.length}`, { events: hear, state: settle }, signal);
    // The whole record of a game that is over has its answers too.
    if (!signal.aborted && state !== "playing") await load(signal);
  }

  $effect(() => {
    void again;
    const stop = new AbortController();
    watch(stop.signal).catch((problem: unknown) => {
      if (stop.signal.aborted) return;
      error = inWords(problem);
      unknown = problem instanceof ApiError && problem.status === 404;
      missing = problem instanceof ApiError && problem.status === 0;
    });
    return () => stop.abort();
  });

  // A host that stops, or goes on with a game that waits for people, leaves no event.
  $effect(() => {
    if (state !== "playing" || !head) return;
    const { experiment } = head;
    const stop = new AbortController();
    const timer = setInterval(() => void askHosted(experiment, stop.signal).catch(() => undefined), ASKED_EVERY_MS);
    return () => (clearInterval(timer), stop.abort());
  });

  // What could not be loaded because the server was away is loaded when it is back.
  $effect(() => {
    if (connection.returns > 0 && missing) {
      missing = false;
      again += 1;
    }
  });

  return {
    get head() {
      return head;
    },
    get record() {
      return record;
    },
    get state() {
      return state;
    },
    get alive() {
      return state === "playing" && (hosted || events.grown);
    },
    get stirred() {
      return events.ever;
    },
    get error() {
      return error;
    },
    get unknown() {
      return unknown;
    },
    reload: () => void (again += 1),
  };
}
