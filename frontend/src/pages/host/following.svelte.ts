// The state of a session and the host's actions. The state is followed by server-sent events, or polled if none arrive.
import { ApiError, get, isPermanent, messageOf, post, stream } from "../../api/client";
import type { HostReply, HostRequest, HostState } from "./shapes";

/** The time without a message after which the state is polled. A stream can be lost without an error. */
const POLL_MS = 4_000;
/** The characters that a token may have in a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export class FollowedSession {
  state = $state.raw<HostState | null>(null);
  /** The error with which the server refused this link. */
  denied = $state.raw<ApiError | null>(null);
  /** True if the server does not reply. */
  gone = $state(false);
  /** The error of the last action, as a message of one line. */
  problem = $state("");
  /** The action that waits for a reply, in the form of `actionKey`. */
  busy = $state<string | null>(null);
  /** The time of the last state by this machine's clock, in milliseconds. */
  received = $state(0);

  readonly token: string;
  #stop = new AbortController();
  /** The actions that wait for a reply or for their turn. A second click on one of them has no effect. */
  #wanted = new Set<string>();
  /** The end of the last action. */
  #last: Promise<void> = Promise.resolve();

  constructor(token: string) {
    this.token = token;
  }

  /** Start to follow the state. The returned function stops it. */
  follow(): () => void {
    if (!TOKEN.test(this.token)) {
      this.denied = new ApiError(401, "");
      return () => undefined;
    }
    void this.refresh();
    const { signal } = this.#stop;
    void stream("/host/live", { host: (state: HostState) => this.take(state) }, signal, {
      host: this.token,
      opened: () => (this.gone = false),
      refused: (error) => (this.denied = error),
    });
    const timer = setInterval(() => Date.now() - this.received > POLL_MS && void this.refresh(), POLL_MS / 4);
    const seen = (): void => void (document.visibilityState === "visible" && this.refresh());
    document.addEventListener("visibilitychange", seen);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    });
    return () => this.#stop.abort();
  }

  /** Load the current state. */
  async refresh(): Promise<void> {
    if (this.#stop.signal.aborted || this.denied) return;
    this.received = Date.now();
    try {
      this.take(await get<HostState>("/host", {}, { host: this.token, signal: this.#stop.signal }));
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (error instanceof ApiError && isPermanent(error.status)) this.denied = error;
      else this.gone = true;
    }
  }

  /** Handle a new state, and ignore outdated ones. */
  take(next: HostState): void {
    this.gone = false;
    this.received = Date.now();
    if (this.state === null || next.version >= this.state.version) this.state = next;
  }

  /** Act, after earlier actions. Return the reply, or null if the action was refused or is already on its way. */
  async act(request: HostRequest): Promise<HostReply | null> {
    const key = actionKey(request);
    if (this.#wanted.has(key)) return null;
    this.#wanted.add(key);
    // The stream may show the effect of an action before its reply arrives, so that the next click comes early.
    const before = this.#last;
    let end = (): void => undefined;
    this.#last = new Promise((resolve) => (end = resolve));
    await before;
    this.busy = key;
    this.problem = "";
    try {
      const reply = await post<HostReply>("/host/act", request, { host: this.token });
      this.take(reply.state);
      return reply;
    } catch (error) {
      this.problem = messageOf(error);
      return null;
    } finally {
      this.busy = null;
      this.#wanted.delete(key);
      end();
    }
  }
}

/** Return a text that tells one action from others: its name, and the participant or table that it is about. */
export const actionKey = ({ action, participant, table }: Pick<HostRequest, "action" | "participant" | "table">): string =>
  [action, participant ?? "", table ?? ""].join("/");
