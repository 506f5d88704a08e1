// What a person has entered and not sent yet, kept for this tab by question: a reload loses nothing.
import { keepText, readKept } from "../../lib/storage";
import type { Entries } from "./entering";

const PREFIX = "ostrom-draft:";

/** The key of a question at a seat. The seat's secret is not in it: two seats only must not share a draft. */
export function draftKey(seat: string, question: string): string {
  let mixed = 0x811c9dc5;
  for (const sign of seat) mixed = Math.imul(mixed ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `${PREFIX}${mixed.toString(36)}:${question}`;
}

export function readDraft(key: string): Entries {
  try {
    const found: unknown = JSON.parse(readKept("sessionStorage", key) ?? "{}");
    if (found === null || typeof found !== "object") return {};
    return Object.fromEntries(Object.entries(found).filter((one): one is [string, string] => typeof one[1] === "string"));
  } catch {
    return {};
  }
}

export function keepDraft(key: string, entries: Entries): void {
  keepText("sessionStorage", key, JSON.stringify(entries));
}

/** Forget the drafts of all questions that are no longer asked. */
export function dropDrafts(except: string | null): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX) && key !== except) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
