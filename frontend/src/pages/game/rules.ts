/** Return the rules of a game as readable rows. A list of more than a dozen values is cut. */
export function ruleRows(rules: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(rules).map(([name, value]) => ({ name: name.replaceAll("_", " "), value: inWords(value) }));
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, 12).map((one) => (Array.isArray(one) ? `(${inWords(one)})` : inWords(one)));
    return shown.join(", ") + (value.length > 12 ? ", …" : "") || "none";
  }
  return JSON.stringify(value).slice(0, 200);
}
