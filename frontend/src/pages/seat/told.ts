// A model's prompt for people. It has the same lines, each with its role.
export interface Line {
  /** The role of the line. An entry begins with a dash or a number; a heading is followed by entries; data is JSON on one
   * line. */
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
/** A heading is short and not a sentence. */
const HEADING = /^\S.{0,78}[^\s.:?!]$/;

/** Return the lines of a text, including blank ones. */
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

/** Return the lines by heading, in order. A heading has only the entries that directly follow it. */
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

/** Return the earlier sections and the current one. The current section is the last heading with its entries, if the text
 * ends with them. */
export function situationOf(text: string): { before: Section[]; now: Section | null } {
  const sections = sectionsOf(linesOf(text));
  const last = sections.at(-1);
  return last?.heading ? { before: sections.slice(0, -1), now: last } : { before: sections, now: null };
}

/** Return the last paragraph of a text, which is the question, and the text before it. */
export function splitQuestion(text: string): { situation: string; asked: string } {
  const at = text.lastIndexOf("\n\n");
  if (at < 0) return { situation: "", asked: text };
  return { situation: text.slice(0, at), asked: text.slice(at + 2) };
}

/** Return the names and values in a line that is a JSON object, and null for other lines. */
export function facts(line: string): [string, unknown][] | null {
  if (!line.startsWith("{") || !line.endsWith("}")) return null;
  try {
    const parsed: unknown = JSON.parse(line);
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? Object.entries(parsed) : null;
  } catch {
    return null;
  }
}

/** Return the explanation that a text gives of an option: a line 'A: take. …' belongs to the option 'A'. */
export function explanationOf(text: string, option: string): string {
  const line = text.split("\n").find((one) => one.startsWith(`${option}: `));
  return line ? line.slice(option.length + 2) : "";
}
