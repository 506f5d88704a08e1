// The query of an address: to the server, or of a page.
export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** Set these in a query. A list is repeated; what is empty goes, and what is not named stays. */
export function setAll(asked: URLSearchParams, query: Query): URLSearchParams {
  for (const [name, value] of Object.entries(query)) {
    asked.delete(name);
    if (value === null || value === undefined || value === "") continue;
    if (typeof value === "object") for (const one of value) asked.append(name, one);
    else asked.set(name, String(value));
  }
  return asked;
}
