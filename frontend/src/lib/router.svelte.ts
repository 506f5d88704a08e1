// The address holds the state of a page: `#/games/ID?at=12`. The part after `#` stays in the browser. So a seat's token
// never gets into a log, and the same addresses work for a file on disk.
import { untrack } from "svelte";
import { setAll, type Query } from "./query";

export interface Route {
  /** The parts of the path: `["games", "ID"]`. */
  parts: string[];
  query: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route: Route = $state(read());

function refresh(): void {
  const now = read();
  route.parts = now.parts;
  route.query = now.query;
}
window.addEventListener("hashchange", refresh);

/** Return the id in the address. It is read only once, because the address may already change to that of the next page
 * while this page is still shown. */
export const pageId = (): string => untrack(() => route.parts[1] ?? "");

/** The address of a page. Lists are repeated, and empty values omitted. */
export const address = (parts: (string | number)[], query: Query = {}): string => hashOf(parts, setAll(new URLSearchParams(), query));

function hashOf(parts: (string | number)[], query: URLSearchParams): string {
  const tail = query.toString();
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}${tail ? `?${tail}` : ""}`;
}

/** Set parameters in the address without a new entry in the history, such as the moment of a replay or a filter. Other
 * parameters stay, and empty values are removed. */
export function setQuery(query: Query): void {
  // The address itself is read, so that an effect that calls this function does not depend on the whole query.
  const now = read();
  const next = hashOf(now.parts, setAll(now.query, query));
  if (next !== location.hash) {
    // In the frame of a notebook, the page has no address of its own and no history that it can change.
    if (location.protocol === "about:") location.replace(`about:srcdoc${next}`);
    else history.replaceState(history.state, "", next);
    route.query = read().query;
  }
}
