// The address bar is the state: `#/games/ID?at=12`. Everything after `#` stays in the browser, so a seat's secret never
// reaches a log; and the same addresses work from a file on disk.
import { untrack } from "svelte";
import { setAll, type Query } from "./query";

export interface Route {
  /** The parts of the path: `["games", "ID"]`. */
  parts: string[];
  query: URLSearchParams;
}


function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
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

/** What the page shows, read once: the address may already be the next page's while this one is still there, and nothing
 * is asked under that name. Each name has a page of its own. */
export const named = (): string => untrack(() => route.parts[1] ?? "");

/** The address of a page. A list is repeated; what is empty is left out. */
export const address = (parts: (string | number)[], query: Query = {}): string => written(parts, setAll(new URLSearchParams(), query));

function written(parts: (string | number)[], query: URLSearchParams): string {
  const tail = query.toString();
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}${tail ? `?${tail}` : ""}`;
}

/** Keep something in the address without leaving a trail in the history: the moment of a replay, a filter. What is not
 * named stays; what is empty goes. */
export function keep(query: Query): void {
  // Read from the address itself: an effect that keeps something does not come to depend on all of it.
  const now = read();
  const next = written(now.parts, setAll(now.query, query));
  if (next !== location.hash) {
    // Inside a frame of a notebook the page has no address of its own, and no history that it may write.
    if (location.protocol === "about:") location.replace(`about:srcdoc${next}`);
    else history.replaceState(history.state, "", next);
    route.query = read().query;
  }
}
