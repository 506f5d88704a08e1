// The address bar is the state: `#/games/ID?at=12`. Everything after `#` stays in the browser, so a seat's secret never
// reaches a log; and the same addresses work from a file on disk.
export interface Route {
  /** The parts of the path: `["games", "ID"]`. */
  parts: string[];
  query: URLSearchParams;
}

type Value = string | number | readonly string[] | null | undefined;

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

/** The address of a page. A list is repeated; what is empty is left out. */
export function address(parts: (string | number)[], query: Record<string, Value> = {}): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    if (typeof value === "object") for (const one of value) asked.append(name, one);
    else asked.set(name, String(value));
  }
  return written(parts, asked);
}

function written(parts: (string | number)[], query: URLSearchParams): string {
  const tail = query.toString();
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}${tail ? `?${tail}` : ""}`;
}

/** Keep something in the address without leaving a trail in the history: the moment of a replay, a filter. What is not
 * named stays; what is empty goes. */
export function keep(query: Record<string, Value>): void {
  // Read from the address itself: an effect that keeps something does not come to depend on all of it.
  const now = read();
  const asked = now.query;
  for (const [name, value] of Object.entries(query)) {
    asked.delete(name);
    if (value === null || value === undefined || value === "") continue;
    if (typeof value === "object") for (const one of value) asked.append(name, one);
    else asked.set(name, String(value));
  }
  const next = written(now.parts, asked);
  if (next !== location.hash) {
    history.replaceState(history.state, "", next);
    route.query = read().query;
  }
}
