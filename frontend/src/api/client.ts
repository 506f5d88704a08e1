// Requests to the server. Every error is an `ApiError` with a message of one line that can be shown to the user.
import { setAll, type Query } from "../lib/query";
import { connection, reportReply } from "./connection.svelte";
import { eventReader } from "./sse";
import { token } from "./token";

export type { Query };

/** True if this is a published site, where games cannot be started and lists cannot be filtered by a server. Such a site
 * uses site/client instead of this module. */
export const published: boolean = false;

export interface Options {
  /** The token of a seat. Without a token of a seat, a participant or a host, the lab's token is sent, if there is one. */
  seat?: string;
  /** The token of a participant of a session. */
  participant?: string;
  /** The token of the host of a session. */
  host?: string;
  signal?: AbortSignal;
}

export class ApiError extends Error {
  /** The HTTP status; 0 if there was no reply. */
  readonly status: number;
  readonly detail: string;
  constructor(status: number, detail: string) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
  }
}

/** The folder of the pages, as seen from the current page. The page of a session's participants and the
 * page for frames are one folder deeper. */
const ROOT = typeof location !== "undefined" && /\/(join|embed)\/[^/]*$/.test(location.pathname) ? ".." : ".";

/** Return the address of a path under /api. */
export function apiAddress(path: string, query: Query = {}): string {
  const tail = setAll(new URLSearchParams(), query).toString();
  return `${ROOT}/api${path}${tail ? `${path.includes("?") ? "&" : "?"}${tail}` : ""}`;
}

export async function get<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  // The server replies to a long computation with its progress, so the request is repeated until the result is ready.
  const init = { headers: { ...headers(options), Prefer: "respond-async" } };
  for (;;) {
    const reply = await request(apiAddress(path, query), init, options);
    if (reply.status !== 202) {
      if (connection.computing) connection.computing = "";
      return (await reply.json()) as T;
    }
    connection.computing = await detailOf(reply);
    await pause(POLL_MS, options.signal ?? new AbortController().signal);
    options.signal?.throwIfAborted();
  }
}

export async function post<T>(path: string, body: unknown = {}, options: Options = {}): Promise<T> {
  const init = { method: "POST", headers: { ...headers(options), "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await request(apiAddress(path), init, options);
  return (await reply.json()) as T;
}

/** Send a request that changes or deletes something. */
export async function change<T>(method: "PUT" | "DELETE", path: string, body: unknown = {}, options: Options = {}): Promise<T> {
  const init = { method, headers: { ...headers(options), "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await (await request(apiAddress(path), init, options)).json()) as T;
}

/** Return a text as the server sends it, such as a record file. */
export async function getText(path: string, query: Query = {}, options: Options = {}): Promise<string> {
  const reply = await request(apiAddress(path, query), { headers: headers(options) }, options);
  return reply.text();
}

/** Return the page of the viewer, into which a game can be embedded. */
export async function viewerPage(): Promise<string> {
  const reply = await fetch("./viewer.html", { credentials: "omit" });
  if (!reply.ok) throw new Error("This server has no viewer for the game.");
  return reply.text();
}

/** The address of a table as a file. It is null here, because a link would not send the lab's token. */
export const tableFile = (_kind: string, _name: string, _ending: string): string | null => null;

/** The address of a page for other readers. It is null here, because only this reader can open the page. */
export const shared = (_parts: readonly string[], _query: URLSearchParams): string | null => null;

/** Return a file that the server makes. */
export async function getFile(path: string, query: Query = {}, options: Options = {}): Promise<Blob> {
  return (await request(apiAddress(path, query), { headers: headers(options) }, options)).blob();
}

/** Handlers of a stream's events, by name. Returning `false` ends the stream. */
export type Handlers = Record<string, (data: any) => unknown>;

export interface StreamOptions extends Options {
  /** Called each time the stream has been connected. */
  opened?: () => void;
  /** Called once if the server refuses permanently (4xx); there is no retry. */
  refused?: (error: ApiError) => void;
}

const POLL_MS = 1000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;

/** Follow server-sent events until `signal` aborts or a handler returns `false`. A lost connection is retried after
 * increasing delays. `path` may be a function, which is called for each attempt: `() => /games/ID/live?first=${seen}`. */
export async function stream(path: string | (() => string), handlers: Handlers, signal: AbortSignal, options: StreamOptions = {}): Promise<void> {
  let wait = MIN_RETRY_MS;
  while (!signal.aborted) {
    try {
      const address = apiAddress(typeof path === "string" ? path : path());
      const reply = await request(address, { headers: { ...headers(options), Accept: "text/event-stream" } }, { ...options, signal });
      options.opened?.();
      wait = MIN_RETRY_MS;
      if (!(await dispatchEvents(reply, handlers))) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && isPermanent(error.status)) {
        options.refused?.(error);
        return;
      }
      // A server that has no capacity for another stream is still reachable.
      if (!(error instanceof ApiError) || error.status === 0) reportReply(false);
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_RETRY_MS);
  }
}

/** Dispatch the events of one connection to the handlers. Return false if a handler ended the stream. */
async function dispatchEvents(reply: Response, handlers: Handlers): Promise<boolean> {
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = eventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    for (const { event, data } of read(value)) {
      if (handlers[event]?.(JSON.parse(data)) === false) {
        await reader.cancel();
        return false;
      }
    }
  }
}

/** True if a refusal is permanent. It is temporary if the server is overloaded (429, 503) or if the game has not been
 * resumed yet. */
export const isPermanent = (status: number): boolean => status >= 400 && status < 500 && status !== 429 && status !== 408;

function headers(options: Options): Record<string, string> {
  if (options.seat !== undefined) return { "Ostrom-Seat": options.seat };
  if (options.participant !== undefined) return { "Ostrom-Participant": options.participant };
  if (options.host !== undefined) return { "Ostrom-Host": options.host };
  const current = token();
  return current ? { Authorization: `Bearer ${current}` } : {};
}

async function request(address: string, init: RequestInit, options: Options): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(address, { ...init, signal: options.signal, cache: "no-cache", credentials: "omit" });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    reportReply(false);
    throw new ApiError(0, "The server does not answer.");
  }
  reportReply(true);
  if (reply.status === 401 && (options.seat ?? options.participant ?? options.host) === undefined) connection.locked = true;
  if (!reply.ok) throw new ApiError(reply.status, await detailOf(reply));
  return reply;
}

async function detailOf(reply: Response): Promise<string> {
  try {
    const { detail } = (await reply.json()) as { detail?: unknown };
    if (typeof detail === "string" && detail) return detail;
  } catch {
    // This reply is not from our server; it may be from a proxy.
  }
  return `The server answered ${reply.status} ${reply.statusText}`.trim() + ".";
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Return an error as a message of one line. */
export const messageOf = (error: unknown): string => error instanceof Error && error.message ? error.message : String(error);
