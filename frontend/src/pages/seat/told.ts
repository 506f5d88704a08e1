// A model's prompt for people: the same lines with their roles.
export interface Line {
  /** An entry starts with a dash or number; a heading is followed by entries; data is JSON on one line. */
  role: "plain" | "entry" | "numbered" | "heading" | "data";
  text: string;
}

/** A heading with the lines under it, or lines without a heading. */
export interface Section {
  heading: Line | null;
  lines: Line[];
}

const ENTRY = /^- /;
const NUMBERED = /^\d+\. /;
/** Short, and not a sentence. */
const HEADING = /^\S.{0,78}[^\s.:?!]$/;

/** The lines of a text, including blank ones. */
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

/** The lines by heading, in order; a heading has only the entries that follow it. */
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

/** The earlier sections and the current one: the last heading with its entries, if the text ends with them. */
export function situationOf(text: string): { before: Section[]; now: Section | null } {
  const sections = sectionsOf(linesOf(text));
  const last = sections.at(-1);
  return last?.heading ? { before: sections.slice(0, -1), now: last } : { before: sections, now: null };
}

/** The last paragraph of a text, which is the question, and the text before it. */
export function splitQuestion(text: string): { situation: string; asked: string } {
  const at = text.lastIndexOf("\n\n");
  if (at < 0) return { situation: "", asked: text };
  return { situation: text.slice(0, at), asked: text.slice(at + 2) };
}

/** The names and values of a line that is a JSON object; otherwise null. */
export function facts(line: string): [string, unknown][] | null {
  if (!line.startsWith("{") || !line.endsWith("}")) return null;
  try {
    const parsed: unknown = JSON.parse(line);
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? Object.entries(parsed) : null;
  } catch {
    return null;
  }
}

/** The explanation of an option in a text: a line 'A: take. …' belongs to the option 'A'. */
export function explanationOf(text: string, option: string): string {
  const line = text.split("\n").find((one) => one.startsWith(`${option}: `));
  return line ? line.slice(option.length + 2) : "";
}
