// What a browser keeps for this tab or for good; one that keeps nothing loses it with the page, and nothing else.
export type Kept = "sessionStorage" | "localStorage";

export function readKept(where: Kept, key: string): string | null {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; null takes it away. */
export function keepText(where: Kept, key: string, text: string | null): void {
  try {
    if (text === null) window[where].removeItem(key);
    else window[where].setItem(key, text);
  } catch {
    // What was to be kept lasts as long as the page.
  }
}
