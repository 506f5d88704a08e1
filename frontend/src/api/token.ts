// The lab's token: read from the address once (`#token=…` or `#/…?token=…`), kept for this tab, and gone from the address.
import { keepText, readKept } from "../lib/storage";

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
export const token = (): string | null => held;

export function setToken(value: string): void {
  held = value;
  keepText("sessionStorage", KEY, value);
}

if (typeof location !== "undefined") {
  held = readKept("sessionStorage", KEY);
  take();
  window.addEventListener("hashchange", take);
}
