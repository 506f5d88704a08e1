// The state of a seat, and its answers. The state is followed by server-sent events, or polled if no events arrive.
import { ApiError, get, messageOf, isPermanent, post, stream } from "../../api/client";
import type { SeatQuestion, SeatAnswer, SeatState } from "../../api/types";

/** The outcome of the last question. */
export type Outcome = "sent" | "late" | "away" | "elsewhere";

export interface Refusal {
  question: string;
  reason: string;
}

/** The time without a message after which the state is polled. A stream can be lost without an error. */
const POLL_MS = 4_000;
/** The time without a reply after which an answer may be lost. It can be sent again, because a question accepts only one
 * answer. */
const ANSWER_TIMEOUT_MS = 15_000;
/** The final states. A game whose host has stopped may be resumed, so its state is still polled. */
const ENDED = new Set(["over", "void"]);
/** The characters that a token may have in a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export class FollowedSeat {
  state = $state.raw<SeatState | null>(null);
  /** The error with which the server refused this link. */
  denied = $state.raw<ApiError | null>(null);
  /** True if the server does not reply. */
  gone = $state(false);
  /** The question whose answer is being sent. */
  sending = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  outcome = $state<Outcome | null>(null);
  /** The latest question. It is shown while others decide. */
  latest = $state.raw<SeatQuestion | null>(null);
  /** The end of the time limit, by this machine's clock. */
  deadline = $state(0);

  readonly token: string;
  #stop = new AbortController();
  #sent = new Set<string>();
  #lastMessage = 0;

  constructor(token: string) {
    this.token = token;
  }

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

  /** Load the current state. */
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

  /** Handle a new state, and ignore outdated ones. Return false if the state is final. */
  take(next: SeatState): boolean {
    this.gone = false;
    this.#lastMessage = Date.now();
    const now = this.state;
    if (now && next.version < now.version) return true;
    const before = now?.question ?? null;
    if (now && before && before.id !== next.question?.id) this.outcome = this.#outcomeOf(before, next.missed > now.missed);
    if (!now && next.missed) this.outcome = "away";
    if (next.question) {
      this.deadline = Date.now() + next.question.left * 1000;
      if (next.question.refused && next.question.id !== this.refusal?.question) {
        this.refusal = { question: next.question.id, reason: next.question.refused };
      }
      this.latest = next.question;
    }
    this.state = next;
    if (now?.state === "stopped" && next.state !== "stopped") this.#listen();
    const ended = ENDED.has(next.state);
    if (ended) this.#stop.abort();
    return !ended;
  }

  /** Send an answer to a question once. Return true if it was accepted. */
  async answer(question: SeatQuestion, values: Record<string, unknown>): Promise<boolean> {
    if (this.sending === question.id) return false;
    this.sending = question.id;
    this.refusal = null;
    this.outcome = null;
    const unsure = this.#sent.has(question.id);
    this.#sent.add(question.id);
    try {
      const body: SeatAnswer = { question: question.id, values };
      this.take(await post<SeatState>("/seat/answer", body, { seat: this.token, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }));
      return true;
    } catch (error) {
      const lost = error instanceof DOMException && error.name === "TimeoutError";
      const status = error instanceof ApiError ? error.status : lost ? 0 : -1;
      if (status === 409) {
        // Another window or the time limit came first, so this answer does not count, unless it was sent before without
        // a reply.
        if (!unsure) this.#sent.delete(question.id);
        await this.refresh();
      } else if (status === 403) {
        // The game or its host has ended. The new state says which.
        await this.refresh();
      } else {
        // Without a reply, it is unknown whether the answer arrived. The next state will show it.
        if (status !== 0) this.#sent.delete(question.id);
        this.gone = status === 0;
        this.refusal = { question: question.id, reason: status === 0 ? UNSENT : messageOf(error) };
      }
      return false;
    } finally {
      if (this.sending === question.id) this.sending = null;
    }
  }

  #outcomeOf(question: SeatQuestion, missed: boolean): Outcome {
    if (missed) return "late";
    return this.#sent.has(question.id) ? "sent" : "elsewhere";
  }

  #refuse(error: ApiError): void {
    // The links of a finished game become invalid, but its last state stays visible.
    if (this.state && ENDED.has(this.state.state)) return;
    this.denied = error;
    this.#stop.abort();
  }
}

const UNSENT = "The server did not reply. Your input is kept here; send it again when the connection is back.";
