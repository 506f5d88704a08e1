// The state of a participant, and what the participant sends. The state is followed by server-sent events, or polled if
// none arrive.
import { ApiError, get, isPermanent, messageOf, post, stream } from "../../api/client";
import type { ParticipantState, SeatState, SessionAnswer, StepRequest } from "../../api/types";
import { language, word } from "../../lib/words.svelte";
import { HeldSeat } from "../seat/held.svelte";
import { pageKey } from "./pages";
import { TraceRecorder } from "./traces";

/** The time without a message after which the state is polled. A stream can be lost without an error. */
const POLL_MS = 4_000;
/** The time without a reply after which a step is sent again by the participant. */
const STEP_TIMEOUT_MS = 15_000;

/** The participant's seat at a table. */
export class SessionSeat extends HeldSeat {
  readonly #session: Participation;

  constructor(session: Participation) {
    super(session.token);
    this.#session = session;
  }

  take(next: SeatState): void {
    // The states of a participant arrive in order, so a lower version is that of another table.
    if (this.state && next.version < this.state.version) {
      this.state = null;
      this.latest = this.outcome = this.refusal = null;
    }
    this.accept(next);
  }

  refresh(): Promise<void> {
    return this.#session.refresh();
  }

  protected async send(question: string, values: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const body: SessionAnswer = { question, values, trace: this.#session.trace() };
    this.#session.take(await post<ParticipantState>("/participate/answer", body, { participant: this.token, signal }));
  }
}

export class Participation {
  state = $state.raw<ParticipantState | null>(null);
  seat = $state.raw<SessionSeat | null>(null);
  /** The error with which the server refused the token. */
  denied = $state.raw<ApiError | null>(null);
  /** True if the server does not reply. */
  gone = $state(false);
  /** True if a step is being sent. */
  busy = $state(false);
  /** The reason why the last step was refused. */
  problem = $state("");
  /** The time of the last state by this machine's clock, in milliseconds. */
  received = $state(0);

  readonly token: string;
  #stop = new AbortController();
  #asked = 0;
  #shownSince = Date.now();
  #question: string | null = null;
  #recorder = new TraceRecorder();
  #recording: (() => void) | null = null;

  constructor(token: string) {
    this.token = token;
  }

  /** Start to follow the state. The returned function stops it. */
  follow(): () => void {
    void this.refresh();
    const { signal } = this.#stop;
    void stream("/participate/live", { participant: (state: ParticipantState) => this.take(state) }, signal, {
      participant: this.token,
      opened: () => (this.gone = false),
      refused: (error) => this.#refuse(error),
    });
    const timer = setInterval(() => Date.now() - Math.max(this.received, this.#asked) > POLL_MS && void this.refresh(), POLL_MS / 4);
    const seen = (): void => void (document.visibilityState === "visible" && this.refresh());
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("online", seen);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("online", seen);
      this.#recording?.();
    });
    return () => this.#stop.abort();
  }

  /** Load the current state. */
  async refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#asked = Date.now();
    try {
      this.take(await get<ParticipantState>("/participate", {}, { participant: this.token, signal: this.#stop.signal }));
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (error instanceof ApiError && isPermanent(error.status)) this.#refuse(error);
      else this.gone = true;
    }
  }

  /** Handle a new state, and ignore outdated ones. */
  take(next: ParticipantState): void {
    this.gone = false;
    const now = this.state;
    if (now && next.version < now.version) return;
    this.received = Date.now();
    const question = next.page.kind === "game" ? (next.page.seat.question?.id ?? null) : null;
    const moved = now === null || pageKey(now.page) !== pageKey(next.page);
    if (moved) {
      this.#shownSince = Date.now();
      this.problem = "";
    }
    if (moved || question !== this.#question) this.#recorder.begin();
    this.#question = question;
    this.#record(next.traces);
    if (next.page.kind !== "game") this.seat = null;
    else {
      this.seat ??= new SessionSeat(this);
      this.seat.take(next.page.seat);
    }
    this.state = next;
    // Nothing follows an outcome with its payment, and the server may stop then.
    if (next.page.kind === "outcome" && (next.page.total !== null || next.page.currency === null)) this.#stop.abort();
  }

  /** Return how the open answer was written, or null if that is not recorded. */
  trace(): StepRequest["trace"] {
    return this.state?.traces ? this.#recorder.read() : null;
  }

  /** Send what was entered on the open page. Return true if it was accepted. */
  async step(page: string, values: Record<string, unknown> = {}): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = "";
    const open = this.state?.page;
    const name = open && "name" in open ? open.name : null;
    const body: StepRequest = { page, name, values, shown: (Date.now() - this.#shownSince) / 1000, trace: this.trace() };
    try {
      const signal = AbortSignal.timeout(STEP_TIMEOUT_MS);
      this.take(await post<ParticipantState>("/participate/step", body, { participant: this.token, signal }));
      return true;
    } catch (error) {
      await this.#handle(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  async #handle(error: unknown): Promise<void> {
    const lost = error instanceof DOMException && error.name === "TimeoutError";
    const status = error instanceof ApiError ? error.status : lost ? 0 : -1;
    if (status === 409) await this.refresh(); // The step was made already, perhaps in another window.
    else if (status === 401 || status === 403) this.#refuse(error as ApiError);
    else if (status === 0 || status >= 500) {
      this.gone = true;
      this.problem = word("answer_unsent");
    } else this.problem = language() === "en" ? messageOf(error) : word("entry_refused"); // The server's reasons are English.
  }

  #record(wanted: boolean): void {
    if (wanted) this.#recording ??= this.#recorder.record(document, window);
    else {
      this.#recording?.();
      this.#recording = null;
    }
  }

  #refuse(error: ApiError): void {
    this.denied = error;
    this.#stop.abort();
  }
}
