// Check what a participant enters in quizzes, beliefs and questionnaires. The server checks it again.
import { word } from "../../lib/words.svelte";
import { plain } from "../seat/form";

export interface Asked {
  name: string;
  type: "text" | "number" | "scale" | "choice";
  choices: string[];
  minimum: number | null;
  maximum: number | null;
  required: boolean;
}

/** The entered texts, by name of the question. */
export type Entries = Record<string, string>;

/** Return the number that a text means in any of the usual ways to write it: 2.5, 2,5 and −2. Return null for others. */
export function numberOf(text: string): number | null {
  const plainText = text.trim().replace("−", "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plainText) ? Number(plainText) : null;
}

/** Return the range of a number in words; empty if it has no bounds. */
export function rangeText(minimum: number | null, maximum: number | null): string {
  if (minimum !== null && maximum !== null) return word("range_number", { low: plain(minimum), high: plain(maximum) });
  if (minimum !== null) return word("range_from", { low: plain(minimum) });
  return maximum === null ? "" : word("range_to", { high: plain(maximum) });
}

/** Return the problem of an entry, or an empty text. */
export function problemOf(question: Asked, text: string): string {
  if (text.trim() === "") {
    if (!question.required) return "";
    return word(question.type === "choice" || question.type === "scale" ? "problem_choose" : "problem_fill_in");
  }
  if (question.type !== "number") return "";
  const value = numberOf(text);
  const range = rangeText(question.minimum, question.maximum);
  if (value === null) return word("problem_enter_a_number");
  if (value < (question.minimum ?? -Infinity) || value > (question.maximum ?? Infinity)) return word("problem_outside", { range });
  return "";
}

/** Return the values to send. Questions without an entry are left out. */
export function valuesOf(questions: readonly Asked[], entries: Entries): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type } of questions) {
    const text = entries[name] ?? "";
    if (text.trim() === "") continue;
    values[name] = type === "number" || type === "scale" ? numberOf(text) : text;
  }
  return values;
}

/** Return a text as HTML that shows the same text. */
export const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
