// A game for its page: its head, and its record, which grows while the game is being played.
import { ApiError, get, getText, messageOf, stream } from "../../api/client";
import { connection } from "../../api/connection.svelte";
import type { ExperimentDetail, GameHead, GameState } from "../../api/types";
import { activity } from "../../lib/activity.svelte";
import { extendRecord, readRecord, type GameEvent, type GameRecord } from "../../replay/record";
import type { Telling } from "../../replay/scene";

interface EventMessage {
  first: number;
  events: GameEvent[];
  told: Telling[];
}

/** The interval at which the server is asked whether it plays the game itself. */
const HOST_POLL_MS = 15_000;

/** Where a game is read: in the laboratory, or in a session by its host. */
export interface GameSource {
  /** The path of the games in the API. */
  path: string;
  /** The token of the session's host. */
  host?: string;
}
const LABORATORY: GameSource = { path: "/games" };

class WatchedGame {
  head = $state.raw<GameHead | null>(null);
  record = $state.raw<GameRecord | null>(null);
  state = $state<GameState | null>(null);
  /** The error as a message of one line. */
  error = $state<string | null>(null);
  /** True if the journal has no such game. */
  unknown = $state(false);
  #path: string;
  #options: { host?: string };
  #reloads = $state(0);
  #hosted = $state(false);
  #missing = false;
  #events = activity(() => this.record?.events.length ?? null);

  constructor(id: string, { path, host }: GameSource) {
    this.#path = `${path}/${encodeURIComponent(id)}`;
    this.#options = host === undefined ? {} : { host };
    // The address may contain no game while another page is being opened.
    if (id === "") {
      this.error = "The address names no game.";
      this.unknown = true;
      return;
    }
    $effect(() => {
      void this.#reloads;
      const stop = new AbortController();
      this.#watch(stop.signal).catch((problem: unknown) => {
        if (stop.signal.aborted) return;
        this.error = messageOf(problem);
        this.unknown = problem instanceof ApiError && problem.status === 404;
        this.#missing = problem instanceof ApiError && problem.status === 0;
      });
      return () => stop.abort();
    });
    // When a host stops or resumes a game, there is no event, so the server is polled.
    $effect(() => {
      if (this.state !== "playing" || !this.head) return;
      const { experiment } = this.head;
      const stop = new AbortController();
      const timer = setInterval(() => void this.#askHosted(experiment, stop.signal).catch(() => undefined), HOST_POLL_MS);
      return () => (clearInterval(timer), stop.abort());
    });
    // The game is loaded again when the server is reachable again.
    $effect(() => {
      if (connection.returns === 0 || !this.#missing) return;
      this.#missing = false;
      this.#reloads += 1;
    });
  }

  /** True if the game is active: this server plays it, or there was an event recently. */
  get alive(): boolean {
    return this.state === "playing" && (this.#hosted || this.#events.grown);
  }

  /** True if there was an event while the page was open. */
  get stirred(): boolean {
    return this.#events.ever;
  }

  reload = (): void => void (this.#reloads += 1);

  async #askHosted(experiment: string, signal: AbortSignal): Promise<void> {
    // The server of a session plays its games itself.
    this.#hosted = this.#options.host !== undefined;
    if (this.#hosted) return;
    this.#hosted = (await get<ExperimentDetail>(`/experiments/${encodeURIComponent(experiment)}`, {}, { signal })).running;
  }

  async #load(signal: AbortSignal): Promise<void> {
    const [head, text] = await Promise.all([get<GameHead>(this.#path, {}, { ...this.#options, signal }), getText(`${this.#path}/record`, {}, { ...this.#options, signal })]);
    if (head.state === "playing") await this.#askHosted(head.experiment, signal);
    this.head = head;
    this.record = readRecord(text);
    this.state = head.state;
    this.error = null;
    this.unknown = false;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    await this.#load(signal);
    if (this.state !== "playing") return;
    const hear = ({ first, events, told }: EventMessage): boolean => {
      const known = this.record!.events.length;
      if (first > known) {
        // Some events were missed, so the whole game is read again.
        this.#reloads += 1;
        return false;
      }
      if (first + events.length > known) this.record = extendRecord(this.record!, events.slice(known - first), told.slice(known - first));
      return true;
    };
    const settle = ({ state }: { state: GameState }): boolean => (this.state = state) === "playing";
    await stream(() => `${this.#path}/live?first=${this.record!.events.length}`, { events: hear, state: settle }, signal, this.#options);
    // The record of a finished game also has the answers.
    if (!signal.aborted && (this.state as GameState | null) !== "playing") await this.#load(signal);
  }
}

/** Watch a game until the calling component is removed. */
export const watchGame = (id: string, source: GameSource = LABORATORY): WatchedGame => new WatchedGame(id, source);
