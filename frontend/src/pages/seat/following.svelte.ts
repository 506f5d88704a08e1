// A seat as it is now: followed by server-sent events, asked for again where none come, and answered for. Nothing here
// is shown; the page does that.
import { ApiError, get, inWords, isForGood, post, stream } from "../../api/client";
import type { AskedNow, SeatAnswer, SeatState } from "../../api/types";

/** What became of the last question, where that is worth a word. */
export type Outcome = "sent" | "late" | "away" | "elsewhere";

export interface Refusal {
  question: string;
  reason: string;
}

/** A state that lasts is asked for again after so long without a word: a stream can be lost without a sign. */
const POLL_EVERY = 4_000;
/** An answer that nobody confirms for so long may have been lost on its way. It can be sent again: a question takes one
 * answer and no other. */
const SENT_WITHIN = 15_000;
/** Nothing more comes by this link. A game whose host has stopped may go on: it is asked for again. */
const ENDED = new Set(["over", "void"]);
/** What a header can hold; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export class Following {
  state = $state.raw<SeatState | null>(null);
  /** Why there is no seat here, where the server says so. */
  denied = $state.raw<ApiError | null>(null);
  /** The server does not answer now. */
  gone = $state(false);
  /** The question whose answer is on its way. */
  sending = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  outcome = $state<Outcome | null>(null);
  /** The latest question: while others decide, it is what this person knows. */
  latest = $state.raw<AskedNow | null>(null);
  /** When the time for the question is over, on this machine's clock. */
  deadline = $state(0);

  readonly token: string;
  #stop = new AbortController();
  #sent = new Set<string>();
  #heard = 0;

  constructor(token: string) {
    this.token = token;
  }

  /** Begin to follow; the function that is given back ends it. */
  follow(): () => void {
    if (!TOKEN.test(this.token)) {
      this.denied = new ApiError(this.token ? 403 : 401, "This is not a link to a seat.");
      return () => undefined;
    }
    void this.refresh();
    this.#listen();
    const timer = setInterval(() => Date.now() - this.#heard > POLL_EVERY && void this.refresh(), POLL_EVERY / 4);
    const seen = () => document.visibilityState === "visible" && void this.refresh();
    document.addEventListener("visibilitychange", seen);
    this.#stop.signal.addEventListener("abort", () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    });
    return () => this.#stop.abort();
  }

  #listen(): void {
    // Where the host has stopped there is no stream to follow: the state is asked for until the game goes on.
    const seat = (state: SeatState) => this.take(state) && state.state !== "stopped";
    void stream("/seat/live", { seat }, this.#stop.signal, {
      seat: this.token,
      opened: () => (this.gone = false),
      refused: (error) => this.#refuse(error),
    });
  }

  /** Ask how things stand. */
  async refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#heard = Date.now();
    try {
      this.take(await get<SeatState>("/seat", {}, { seat: this.token, signal: this.#stop.signal }));
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (error instanceof ApiError && isForGood(error.status)) this.#refuse(error);
      else this.gone = true;
    }
  }

  /** A state that has come, by whatever way; one that is older than what is known is passed over. False: there will be
   * no other. */
  take(next: SeatState): boolean {
    this.gone = false;
    this.#heard = Date.now();
    const now = this.state;
    if (now && next.version < now.version) return true;
    const before = now?.question ?? null;
    if (now && before && before.id !== next.question?.id) this.outcome = this.#became(before, next.missed > now.missed);
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

  /** Send an answer to a question, once. Whether it was taken. */
  async answer(question: AskedNow, values: Record<string, unknown>): Promise<boolean> {
    if (this.sending === question.id) return false;
    this.sending = question.id;
    this.refusal = null;
    this.outcome = null;
    const unsure = this.#sent.has(question.id);
    this.#sent.add(question.id);
    try {
      const body: SeatAnswer = { question: question.id, values };
      this.take(await post<SeatState>("/seat/answer", body, { seat: this.token, signal: AbortSignal.timeout(SENT_WITHIN) }));
      return true;
    } catch (error) {
      const lost = error instanceof DOMException && error.name === "TimeoutError";
      const status = error instanceof ApiError ? error.status : lost ? 0 : -1;
      if (status === 409) {
        // Somebody, or the clock, was quicker: what was sent now did not count, unless it is the answer that was sent
        // before without a word from the server.
        if (!unsure) this.#sent.delete(question.id);
        await this.refresh();
      } else if (status === 403) {
        // The game has ended, or its host has: which of them, the seat tells, where there still is one.
        await this.refresh();
      } else {
        // Without an answer of the server nobody knows whether it arrived: the state will tell.
        if (status !== 0) this.#sent.delete(question.id);
        this.gone = status === 0;
        this.refusal = { question: question.id, reason: status === 0 ? UNSENT : inWords(error) };
      }
      return false;
    } finally {
      if (this.sending === question.id) this.sending = null;
    }
  }

  #became(question: AskedNow, missed: boolean): Outcome {
    if (missed) return "late";
    return this.#sent.has(question.id) ? "sent" : "elsewhere";
  }

  #refuse(error: ApiError): void {
    // A game that has ended takes its links with it; what was seen of it stays.
    if (this.state && ENDED.has(this.state.state)) return;
    this.denied = error;
    this.#stop.abort();
  }
}

const UNSENT = "The server did not answer. What you entered is kept here; send it again when the connection is back.";
