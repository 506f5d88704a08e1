// The query of an address of the server or of a page.
export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** Set parameters in a query. Lists are repeated, empty values are removed, and other parameters stay. */
export function setAll(parameters: URLSearchParams, query: Query): URLSearchParams {
  for (const [name, value] of Object.entries(query)) {
    parameters.delete(name);
    if (value === null || value === undefined || value === "") continue;
    if (typeof value === "object") for (const one of value) parameters.append(name, one);
    else parameters.set(name, String(value));
  }
  return parameters;
}
