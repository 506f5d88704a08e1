// What a model would be told, laid out for people: the same lines, word for word, with their roles.
export interface Line {
  /** An entry of a list hangs behind its dash or number; a heading stands before entries; data is JSON on one line. */
  role: "plain" | "entry" | "numbered" | "heading" | "data";
  text: string;
}

/** A heading with the lines under it; lines that belong to no heading have none. */
export interface Section {
  heading: Line | null;
  lines: Line[];
}

const ENTRY = /^- /;
const NUMBERED = /^\d+\. /;
/** Short, and no sentence. */
const HEADING = /^\S.{0,78}[^\s.:?!]$/;

/** The lines of a text. Blank ones stay, so that what is shown is the text itself. */
export function linesOf(text: string): Line[] {
  const lines = text.split("\n");
  return lines.map((line, index) => ({ role: roleOf(line, lines[index + 1] ?? ""), text: line }));
}

function roleOf(line: string, next: string): Line["role"] {
  if (ENTRY.test(line)) return "entry";
  if (NUMBERED.test(line)) return "numbered";
  if (facts(line)) return "data";
  return HEADING.test(line) && ENTRY.test(next) ? "heading" : "plain";
}

/** The lines by heading, in their order: a heading has the entries that follow it, and nothing else. */
export function sectionsOf(lines: readonly Line[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (line.role === "heading") sections.push({ heading: line, lines: [] });
    else if (last && (last.heading === null || line.role === "entry")) last.lines.push(line);
    else sections.push({ heading: null, lines: [line] });
  }
  return sections;
}

/** What was before, and what is now: the last heading with its entries, where the text ends with them. */
export function situationOf(text: string): { before: Section[]; now: Section | null } {
  const sections = sectionsOf(linesOf(text));
  const last = sections.at(-1);
  return last?.heading ? { before: sections.slice(0, -1), now: last } : { before: sections, now: null };
}

/** The text up to its last paragraph, which is what is asked, and that paragraph. */
export function parted(text: string): { situation: string; asked: string } {
  const at = text.lastIndexOf("\n\n");
  if (at < 0) return { situation: "", asked: text };
  return { situation: text.slice(0, at), asked: text.slice(at + 2) };
}

/** A line that is a JSON object, as names and values; null where it is anything else. */
export function facts(line: string): [string, unknown][] | null {
  if (!line.startsWith("{") || !line.endsWith("}")) return null;
  try {
    const found: unknown = JSON.parse(line);
    return found !== null && typeof found === "object" && !Array.isArray(found) ? Object.entries(found) : null;
  } catch {
    return null;
  }
}

/** What a text says of the options of a choice: a line 'A: take. …' belongs to the option 'A'. */
export function explained(text: string, option: string): string {
  const line = text.split("\n").find((one) => one.startsWith(`${option}: `));
  return line ? line.slice(option.length + 2) : "";
}
