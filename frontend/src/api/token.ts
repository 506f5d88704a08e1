// The server's token. It is read once from the address (`#token=…` or `#/…?token=…`), removed from the address, and
// kept for this browser tab.
import { storeText, readText } from "../lib/storage";

const KEY = "ostrom-token";
let current: string | null = null;

/** Return a hash without its token, and the token; null if the hash has none. */
export function splitToken(hash: string): { rest: string; token: string } | null {
  const text = hash.replace(/^#/, "");
  const [path = "", query = ""] = text.startsWith("/") ? text.split("?", 2) : ["/", text];
  const parameters = new URLSearchParams(query);
  const token = parameters.get("token");
  if (!token) return null;
  parameters.delete("token");
  const tail = parameters.toString();
  return { rest: `#${path}${tail ? `?${tail}` : ""}`, token };
}

function readAddress(): void {
  const split = splitToken(location.hash);
  if (!split) return;
  history.replaceState(history.state, "", split.rest);
  setToken(split.token);
}

/** The token that is sent with every request; null if the server needs none. */
export const token = (): string | null => current;

export function setToken(value: string): void {
  current = value;
  storeText("sessionStorage", KEY, value);
}

if (typeof location !== "undefined") {
  current = readText("sessionStorage", KEY);
  readAddress();
  window.addEventListener("hashchange", readAddress);
}
