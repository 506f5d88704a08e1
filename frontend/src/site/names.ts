// What files of a published site are called; src/ostrom/web/site_names.py has the same.
import { setAll, type Query } from "../lib/query";

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a with 64 bits, as 16 digits: the same wherever the site lies, which crypto.subtle is not. */
export function digest(text: string): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash.toString(16).padStart(16, "0");
}

/** A request in one line each for its path and its sorted parameters, with nothing encoded. */
export function request(path: string, query: Query = {}): string {
  const asked = [...setAll(new URLSearchParams(), query)].map(([name, value]) => `${name}=${value}`);
  return [path.split("/").map(decodeURIComponent).join("/"), ...asked.sort()].join("\n");
}

/** The request under whose name a file holds the answer to this one: what is read together lies together. */
export function holder(asked: string): string {
  const game = /^\/games\/([^\n]*?)(\/record|\/course)?$/.exec(asked);
  if (!game) return asked;
  return game[2] === "/course" ? "/courses" : `/games/${game[1]}`;
}

export const file = (held: string): string => `./data/${held.split("\n", 1)[0]!.split("/")[1]}/${digest(held)}.js`;

/** The page to hand on for an address: it says in its head what it is about, and leads there. */
export function pageFile(parts: readonly string[], query: URLSearchParams): string {
  const [kind = "", name = ""] = parts;
  // Two games side by side have no page of their own; there it is that of the first.
  const named: Record<string, string> = { players: name, experiments: name, games: name, subjects: name, compare: query.get("kind") ?? "", method: query.get("kind") ?? "" };
  if (kind === "messages") return "messages.html";
  return named[kind] ? `${kind}/${slug(named[kind])}.html` : "index.html";
}

const PLAIN = /^[a-z0-9][a-z0-9._-]{0,59}$/;

/** A name as part of an address that can be read aloud; two names never give the same. */
export function slug(name: string): string {
  if (PLAIN.test(name)) return name;
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40);
  return `${words || "n"}-${digest(name).slice(0, 8)}`;
}
