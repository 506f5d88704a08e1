// The rules of a game as rows that people read.

export interface RuleRow {
  name: string;
  value: string;
}

/** Every setting in words; a list of more than a dozen things is cut. */
export function ruleRows(rules: Record<string, unknown>): RuleRow[] {
  return Object.entries(rules).map(([name, value]) => ({ name: name.replaceAll("_", " "), value: said(value) }));
}

function said(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, 12).map((one) => (Array.isArray(one) ? `(${said(one)})` : said(one)));
    return shown.join(", ") + (value.length > 12 ? ", …" : "") || "none";
  }
  return JSON.stringify(value).slice(0, 200);
}
