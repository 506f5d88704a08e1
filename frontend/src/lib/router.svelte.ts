// The address holds the state: `#/games/ID?at=12`. Everything after `#` stays in the browser, so a seat's token never gets
// into a log, and the same addresses work from a file on disk.
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

/** The id in the address, read once, as the address may change to the next page's while this one is still shown. */
export const pageId = (): string => untrack(() => route.parts[1] ?? "");

/** The address of a page. Lists are repeated, and empty values omitted. */
export const address = (parts: (string | number)[], query: Query = {}): string => hashOf(parts, setAll(new URLSearchParams(), query));

function hashOf(parts: (string | number)[], query: URLSearchParams): string {
  const tail = query.toString();
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}${tail ? `?${tail}` : ""}`;
}

/** Set parameters in the address without a new history entry: the moment of a replay, a filter. Other parameters stay, and
 * empty values are removed. */
export function setQuery(query: Query): void {
  // Read from the address itself, so that an effect that calls this does not depend on the whole query.
  const now = read();
  const next = hashOf(now.parts, setAll(now.query, query));
  if (next !== location.hash) {
    // In a notebook's frame the page has no address of its own and no writable history.
    if (location.protocol === "about:") location.replace(`about:srcdoc${next}`);
    else history.replaceState(history.state, "", next);
    route.query = read().query;
  }
}
