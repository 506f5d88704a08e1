// The state of a seat, and its answers, whatever address they are sent to.
import { ApiError, messageOf } from "../../api/client";
import type { SeatQuestion, SeatState } from "../../api/types";
import { word } from "../../lib/words.svelte";

/** The outcome of the last question. */
export type Outcome = "sent" | "late" | "away" | "elsewhere";

export interface Refusal {
  question: string;
  reason: string;
}

/** The time without a reply after which an answer may be lost. It can be sent again, because a question accepts only one
 * answer. */
const ANSWER_TIMEOUT_MS = 15_000;

export abstract class HeldSeat {
  state = $state.raw<SeatState | null>(null);
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
  #sent = new Set<string>();

  constructor(token: string) {
    this.token = token;
  }

  /** Load the current state. */
  abstract refresh(): Promise<void>;

  /** Send an answer to the server, and handle the state with which it replies. */
  protected abstract send(question: string, values: Record<string, unknown>, signal: AbortSignal): Promise<void>;

  /** Handle a new state, and ignore outdated ones. Return false if it is outdated. */
  protected accept(next: SeatState): boolean {
    this.gone = false;
    const now = this.state;
    if (now && next.version < now.version) return false;
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
    return true;
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
      await this.send(question.id, values, AbortSignal.timeout(ANSWER_TIMEOUT_MS));
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
        this.refusal = { question: question.id, reason: status === 0 ? word("answer_unsent") : messageOf(error) };
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
}
