// Requests to the server. An error is always an `ApiError` with one line that can be shown as it is.
import { setAll, type Query } from "../lib/query";
import { connection, heard } from "./connection.svelte";
import { sentEvents } from "./sse";
import { token } from "./token";

export type { Query };

/** Whether this is a published site, in which nothing can be started or filtered anew; site/client stands there. */
export const published: boolean = false;

export interface Options {
  /** The secret of a seat; without it the lab's token is sent, where there is one. */
  seat?: string;
  signal?: AbortSignal;
}

export class ApiError extends Error {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly detail: string;
  constructor(status: number, detail: string) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
  }
}

/** The address of something under /api. */
export function apiAddress(path: string, query: Query = {}): string {
  const tail = setAll(new URLSearchParams(), query).toString();
  return `./api${path}${tail ? `${path.includes("?") ? "&" : "?"}${tail}` : ""}`;
}

export async function get<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  // What takes long is asked for again, and meanwhile the server says how far it is.
  const sent = { headers: { ...headers(options), Prefer: "respond-async" } };
  for (;;) {
    const reply = await request(apiAddress(path, query), sent, options);
    if (reply.status !== 202) {
      if (connection.computing) connection.computing = "";
      return (await reply.json()) as T;
    }
    connection.computing = await reason(reply);
    await pause(AGAIN, options.signal ?? new AbortController().signal);
    options.signal?.throwIfAborted();
  }
}

export async function post<T>(path: string, body: unknown = {}, options: Options = {}): Promise<T> {
  const sent = { method: "POST", headers: { ...headers(options), "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await request(apiAddress(path), sent, options);
  return (await reply.json()) as T;
}

/** Change something that is there, or take it away. */
export async function change<T>(method: "PUT" | "DELETE", path: string, body: unknown = {}, options: Options = {}): Promise<T> {
  const sent = { method, headers: { ...headers(options), "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await (await request(apiAddress(path), sent, options)).json()) as T;
}

/** A text as the server sends it: a record file. */
export async function getText(path: string, query: Query = {}, options: Options = {}): Promise<string> {
  const reply = await request(apiAddress(path, query), { headers: headers(options) }, options);
  return reply.text();
}

/** The viewer, for a game to be put into. */
export async function viewerPage(): Promise<string> {
  const reply = await fetch("./viewer.html", { credentials: "omit" });
  if (!reply.ok) throw new Error("This server has no viewer to put the game into.");
  return reply.text();
}

/** Where a table lies as a file; nowhere, as a link would not carry the lab's token. */
export const tableFile = (_kind: string, _name: string, _ending: string): string | null => null;

/** The page to hand on; nothing where nobody but this reader can open it. */
export const shared = (_parts: readonly string[], _query: URLSearchParams): string | null => null;

/** A file as the server makes it. */
export async function getFile(path: string, query: Query = {}): Promise<Blob> {
  return (await request(apiAddress(path, query), { headers: headers({}) }, {})).blob();
}

/** What to do with the events of a stream, by name. Returning `false` ends it. */
export type Handlers = Record<string, (data: any) => unknown>;

export interface StreamOptions extends Options {
  /** Called each time the stream is there (again). */
  opened?: () => void;
  /** Called once where the server refuses it for good (4xx); it is not tried again. */
  refused?: (error: ApiError) => void;
}

const AGAIN = 1000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** Follow server-sent events until `signal` aborts or a handler returns `false`. A lost connection is taken up again,
 * with waits that grow; `path` may be a function, which is asked anew each time: `() => /games/ID/live?first=${seen}`. */
export async function stream(path: string | (() => string), handlers: Handlers, signal: AbortSignal, options: StreamOptions = {}): Promise<void> {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const address = apiAddress(typeof path === "string" ? path : path());
      const reply = await request(address, { headers: { ...headers(options), Accept: "text/event-stream" } }, { ...options, signal });
      options.opened?.();
      wait = FIRST_WAIT;
      if (!(await followed(reply, handlers))) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && isForGood(error.status)) {
        options.refused?.(error);
        return;
      }
      // A server that has no room for a stream now is there all the same.
      if (!(error instanceof ApiError) || error.status === 0) heard(false);
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/** Hand out the events of one connection; false when a handler has had enough. */
async function followed(reply: Response, handlers: Handlers): Promise<boolean> {
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = sentEvents();
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

/** Whether a refusal stays one: not where the server has too much to do (429, 503), or where the game is not back yet. */
export const isForGood = (status: number): boolean => status >= 400 && status < 500 && status !== 429 && status !== 408;

function headers(options: Options): Record<string, string> {
  if (options.seat !== undefined) return { "Ostrom-Seat": options.seat };
  const held = token();
  return held ? { Authorization: `Bearer ${held}` } : {};
}

async function request(address: string, sent: RequestInit, options: Options): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(address, { ...sent, signal: options.signal, cache: "no-cache", credentials: "omit" });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    heard(false);
    throw new ApiError(0, "The server does not answer.");
  }
  heard(true);
  if (reply.status === 401 && options.seat === undefined) connection.locked = true;
  if (!reply.ok) throw new ApiError(reply.status, await reason(reply));
  return reply;
}

async function reason(reply: Response): Promise<string> {
  try {
    const { detail } = (await reply.json()) as { detail?: unknown };
    if (typeof detail === "string" && detail) return detail;
  } catch {
    // Not the server's own form of an error: a proxy's, perhaps.
  }
  return `The server answered ${reply.status} ${reply.statusText}`.trim() + ".";
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Any error as one line for people. */
export const inWords = (error: unknown): string => error instanceof Error && error.message ? error.message : String(error);
