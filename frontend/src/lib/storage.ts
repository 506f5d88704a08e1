// The browser's storage, for this tab or permanently. If there is no storage, values last as long as the page.
export type StorageArea = "sessionStorage" | "localStorage";

export function readText(where: StorageArea, key: string): string | null {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

/** Store a text under a key; null removes it. */
export function storeText(where: StorageArea, key: string, text: string | null): void {
  try {
    if (text === null) window[where].removeItem(key);
    else window[where].setItem(key, text);
  } catch {
    // If there is no storage, the value lasts as long as the page.
  }
}
