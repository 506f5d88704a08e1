// Input that was not sent yet. It is stored for this tab by question, so that a reload loses nothing.
import { storeText, readText } from "../../lib/storage";
import type { Entries } from "./entering";

const PREFIX = "ostrom-draft:";

/** Return the key of a question at a seat. It has a hash instead of the seat's token. */
export function draftKey(seat: string, question: string): string {
  let hash = 0x811c9dc5;
  for (const sign of seat) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `${PREFIX}${hash.toString(36)}:${question}`;
}

export function readDraft(key: string): Entries {
  try {
    const stored: unknown = JSON.parse(readText("sessionStorage", key) ?? "{}");
    if (stored === null || typeof stored !== "object") return {};
    return Object.fromEntries(Object.entries(stored).filter((one): one is [string, string] => typeof one[1] === "string"));
  } catch {
    return {};
  }
}

export function storeDraft(key: string, entries: Entries): void {
  storeText("sessionStorage", key, JSON.stringify(entries));
}

/** Remove the drafts of all other questions. */
export function dropDrafts(except: string | null): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX) && key !== except) sessionStorage.removeItem(key);
  } catch {
    // There is no storage.
  }
}
