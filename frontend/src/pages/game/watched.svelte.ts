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

/** How often a server is asked whether it plays the game itself. */
const ASKED_EVERY_MS = 15_000;

class Watched {
  head = $state.raw<GameHead | null>(null);
  record = $state.raw<GameRecord | null>(null);
  state = $state<GameState | null>(null);
  /** Why there is nothing to show, in one line. */
  error = $state<string | null>(null);
  /** Whether the journal has no such game. */
  unknown = $state(false);
  #path: string;
  #again = $state(0);
  #hosted = $state(false);
  #missing = false;
  #events = lately(() => this.record?.events.length ?? null);

  constructor(id: string) {
    this.#path = `/games/${encodeURIComponent(id)}`;
    // An address may name no game, as on the way to another page: then there is nothing to ask for.
    if (id === "") {
      this.error = "The address names no game.";
      this.unknown = true;
      return;
    }
    $effect(() => {
      void this.#again;
      const stop = new AbortController();
      this.#watch(stop.signal).catch((problem: unknown) => {
        if (stop.signal.aborted) return;
        this.error = inWords(problem);
        this.unknown = problem instanceof ApiError && problem.status === 404;
        this.#missing = problem instanceof ApiError && problem.status === 0;
      });
      return () => stop.abort();
    });
    // A host that stops, or goes on with a game that waits for people, leaves no event.
    $effect(() => {
      if (this.state !== "playing" || !this.head) return;
      const { experiment } = this.head;
      const stop = new AbortController();
      const timer = setInterval(() => void this.#askHosted(experiment, stop.signal).catch(() => undefined), ASKED_EVERY_MS);
      return () => (clearInterval(timer), stop.abort());
    });
    // What could not be loaded because the server was away is loaded when it is back.
    $effect(() => {
      if (connection.returns === 0 || !this.#missing) return;
      this.#missing = false;
      this.#again += 1;
    });
  }

  /** Whether it goes on right now: this server plays it, or something has just happened. */
  get alive(): boolean {
    return this.state === "playing" && (this.#hosted || this.#events.grown);
  }

  /** Whether something happened while the page was open. */
  get stirred(): boolean {
    return this.#events.ever;
  }

  reload = (): void => void (this.#again += 1);

  async #askHosted(experiment: string, signal: AbortSignal): Promise<void> {
    this.#hosted = (await get<ExperimentDetail>(`/experiments/${encodeURIComponent(experiment)}`, {}, { signal })).running;
  }

  async #load(signal: AbortSignal): Promise<void> {
    const [found, text] = await Promise.all([get<GameHead>(this.#path, {}, { signal }), getText(`${this.#path}/record`, {}, { signal })]);
    if (found.state === "playing") await this.#askHosted(found.experiment, signal);
    this.head = found;
    this.record = readRecord(text);
    this.state = found.state;
    this.error = null;
    this.unknown = false;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    await this.#load(signal);
    if (this.state !== "playing") return;
    const hear = ({ first, events, told }: Happened): boolean => {
      const known = this.record!.events.length;
      if (first > known) {
        // Something was missed on the way: the game is read from the beginning.
        this.#again += 1;
        return false;
      }
      if (first + events.length > known) this.record = extended(this.record!, events.slice(known - first), told.slice(known - first));
      return true;
    };
    const settle = ({ state }: { state: GameState }): boolean => (this.state = state) === "playing";
    await stream(() => `${this.#path}/live?first=${this.record!.events.length}`, { events: hear, state: settle }, signal);
    // The whole record of a game that is over has its answers too.
    if (!signal.aborted && (this.state as GameState | null) !== "playing") await this.#load(signal);
  }
}

/** Watch a game for as long as the calling component lives. */
export const watchGame = (id: string): Watched => new Watched(id);
