// What happened last, as a list: the server tells it in lines for a terminal, indented and in columns.

export interface Told {
  /** What the lines belong to; empty where they stand for themselves. */
  title: string;
  lines: string[];
}

const FOLLOWS = /^ {4,}/;
const BELONGS = /^ {2}/;

/** Lines of a terminal as titles with what belongs to them. */
export function toldIn(story: readonly string[]): Told[] {
  const told: Told[] = [];
  for (const line of story) {
    const last = told.at(-1);
    if (FOLLOWS.test(line) && last?.lines.length) last.lines.push(`${last.lines.pop()!} ${line.trim()}`);
    else if (!BELONGS.test(line)) told.push({ title: sentence(line), lines: [] });
    else if (last) last.lines.push(plain(line));
    else told.push({ title: "", lines: [plain(line)] });
  }
  return told;
}

/** Columns as clauses: `P1  gave 1.00  gain    270.00` is `P1: gave 1.00, gain 270.00`. */
function plain(line: string): string {
  const [name, rest] = split(line.trim());
  const clauses = rest.replace(/ {2,}(?=[−+-]?[\d.])/g, " ").replace(/ {2,}/g, ", ");
  return sentence(rest ? `${name}: ${clauses}` : name);
}

function split(line: string): [string, string] {
  const at = line.search(/ {2,}/);
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at).trim()];
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
