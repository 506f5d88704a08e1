// The address of a participant's page, and the tokens that this browser keeps.
import { readText, storeText } from "../../lib/storage";

export interface Place {
  /** The join code; empty if the address has none. */
  code: string;
  /** The secret part of a personal link; empty if there is none. */
  link: string;
  parameters: Record<string, string>;
}

/** The characters that a token may have in a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;
const PREFIX = "ostrom-participant:";

/** Read the join code, the link's secret and the parameters from an address. */
export function placeOf(address: { pathname: string; hash: string; search: string }): Place {
  const code = /\/join\/([^/]+)\/?$/.exec(address.pathname)?.[1] ?? "";
  const link = decode(address.hash.replace(/^#/, ""));
  return { code: decode(code), link: TOKEN.test(link) ? link : "", parameters: Object.fromEntries(new URLSearchParams(address.search)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Return the key of the stored token. Each personal link has a token of its own. It has a hash instead of the link. */
export function tokenKey({ code, link }: Place): string {
  return `${PREFIX}${code.toUpperCase()}${link ? `:${hash(link)}` : ""}`;
}

/** Return a short number of a secret, from which the secret cannot be read. */
export function hash(secret: string): string {
  let sum = 0x811c9dc5;
  for (const sign of secret) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum.toString(36);
}

const KEY_BYTES = 24;
/** The keys of this page, for browsers without storage. */
const drawn = new Map<string, string>();

/** Return the key with which this browser joins. A request whose reply was lost is repeated with the same key, so that
 * the server gives the same place again. */
export function joinKey(place: Place, label: string): string {
  const name = joinName(place, label);
  let key = readText("localStorage", name) ?? drawn.get(name);
  if (!key || !TOKEN.test(key)) key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(KEY_BYTES))));
  drawn.set(name, key);
  storeText("localStorage", name, key);
  return key;
}

/** Remove the key of a place that was given, so that another person can join in this browser. */
export function dropJoinKey(place: Place, label: string): void {
  drawn.delete(joinName(place, label));
  storeText("localStorage", joinName(place, label), null);
}

function joinName(place: Place, label: string): string {
  return `${tokenKey(place)}:join${label ? `:${hash(label)}` : ""}`;
}

/** Return the token of this tab, or that of an earlier tab of this browser. Two people may share a browser, so a page must
 * ask before it uses the token of another tab. */
export function storedToken(place: Place): { token: string; own: boolean } | null {
  const key = tokenKey(place);
  for (const [where, own] of [["sessionStorage", true], ["localStorage", false]] as const) {
    const token = readText(where, key);
    if (token && TOKEN.test(token)) return { token, own };
  }
  return null;
}

export function storeToken(place: Place, token: string): void {
  storeText("sessionStorage", tokenKey(place), token);
  storeText("localStorage", tokenKey(place), token);
}

/** Remove a token that the server refuses. A newer token stays. */
export function dropToken(place: Place, token: string): void {
  for (const where of ["sessionStorage", "localStorage"] as const) {
    if (readText(where, tokenKey(place)) === token) storeText(where, tokenKey(place), null);
  }
}
