// The lab's token: read from the address once (`#token=…` or `#/…?token=…`), kept for this tab, and gone from the address.
const KEY = "ostrom-token";
let held: string | null = null;

/** A hash without its token, and the token; null where it holds none. */
export function parted(hash: string): { rest: string; token: string } | null {
  const text = hash.replace(/^#/, "");
  const [path = "", query = ""] = text.startsWith("/") ? text.split("?", 2) : ["/", text];
  const asked = new URLSearchParams(query);
  const token = asked.get("token");
  if (!token) return null;
  asked.delete("token");
  const tail = asked.toString();
  return { rest: `#${path}${tail ? `?${tail}` : ""}`, token };
}

function take(): void {
  const found = parted(location.hash);
  if (!found) return;
  history.replaceState(history.state, "", found.rest);
  setToken(found.token);
}

/** What every request to the lab carries; null on a server that asks for none. */
export function token(): string | null {
  return held;
}

export function setToken(value: string): void {
  held = value;
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // A browser that keeps nothing: the token lasts as long as the page.
  }
}

if (typeof location !== "undefined") {
  try {
    held = sessionStorage.getItem(KEY);
  } catch {
    held = null;
  }
  take();
  window.addEventListener("hashchange", take);
}
