// The state of a seat, and its answers. The state is followed by server-sent events, or polled if no events arrive.
import { ApiError, get, isPermanent, post, stream } from "../../api/client";
import type { SeatAnswer, SeatState } from "../../api/types";
import { HeldSeat } from "./held.svelte";

/** The time without a message after which the state is polled. A stream can be lost without an error. */
const POLL_MS = 4_000;
/** The final states. A game whose host has stopped may be resumed, so its state is still polled. */
const ENDED = new Set(["over", "void"]);
/** The characters that a token may have in a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export class FollowedSeat extends HeldSeat {
  /** The error with which the server refused this link. */
  denied = $state.raw<ApiError | null>(null);
  #stop = new AbortController();
  #lastMessage = 0;

  /** Start to follow the state. The returned function stops it. */
  follow(): () => void {
    if (!TOKEN.test(this.token)) {
      this.denied = new ApiError(this.token ? 403 : 401, "This is not a link to a seat.");
      return () => undefined;
    }
    void this.refresh();
    this.#listen();
    const timer = setInterval(() => Date.now() - this.#lastMessage > POLL_MS && void this.refresh(), POLL_MS / 4);
    const seen = () => document.visibilityState === "visible" && void this.refresh();
    document.addEventListener("visibilitychange", seen);
    this.#stop.signal.addEventListener("abort", () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    });
    return () => this.#stop.abort();
  }

  #listen(): void {
    // A host that has stopped has no stream, so the state is polled until the game is resumed.
    const seat = (state: SeatState) => this.take(state) && state.state !== "stopped";
    void stream("/seat/live", { seat }, this.#stop.signal, {
      seat: this.token,
      opened: () => (this.gone = false),
      refused: (error) => this.#refuse(error),
    });
  }

  async refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#lastMessage = Date.now();
    try {
      this.take(await get<SeatState>("/seat", {}, { seat: this.token, signal: this.#stop.signal }));
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (error instanceof ApiError && isPermanent(error.status)) this.#refuse(error);
      else this.gone = true;
    }
  }

  /** Handle a new state. Return false if it is final. */
  take(next: SeatState): boolean {
    this.#lastMessage = Date.now();
    const before = this.state?.state;
    if (!this.accept(next)) return true;
    if (before === "stopped" && next.state !== "stopped") this.#listen();
    const ended = ENDED.has(next.state);
    if (ended) this.#stop.abort();
    return !ended;
  }

  protected async send(question: string, values: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const body: SeatAnswer = { question, values };
    this.take(await post<SeatState>("/seat/answer", body, { seat: this.token, signal }));
  }

  #refuse(error: ApiError): void {
    // The links of a finished game become invalid, but its last state stays visible.
    if (this.state && ENDED.has(this.state.state)) return;
    this.denied = error;
    this.#stop.abort();
  }
}
