// The names of a published site's files. src/ostrom/web/site_pages.py has the same functions.
import { setAll, type Query } from "../lib/query";

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** Return the 64-bit FNV-1a hash of a text as 16 digits. The browser's crypto.subtle is not available for files on disk. */
export function digest(text: string): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash.toString(16).padStart(16, "0");
}

/** Return the name of a request: its path and its sorted parameters, one per line, without encoding. */
export function request(path: string, query: Query = {}): string {
  const parameters = [...setAll(new URLSearchParams(), query)].map(([name, value]) => `${name}=${value}`);
  return [path.split("/").map(decodeURIComponent).join("/"), ...parameters.sort()].join("\n");
}

/** Return the request after which the file with this request's reply is named. Replies that are read together are in one
 * file. */
export function holder(name: string): string {
  const game = /^\/games\/([^\n]*?)(\/record|\/course|\/citation)?$/.exec(name);
  if (!game) return name;
  return game[2] === "/course" ? "/courses" : `/games/${game[1]}`;
}

export const file = (name: string): string => `./data/${name.split("\n", 1)[0]!.split("/")[1]}/${digest(name)}.js`;

/** Return the page to share for an address. It has the metadata for link previews and redirects to the address. */
export function pageFile(parts: readonly string[], query: URLSearchParams): string {
  const [kind = "", name = ""] = parts;
  // For two games side by side, the page to share is that of the first game.
  const named: Record<string, string> = { players: name, experiments: name, games: name, subjects: name, compare: query.get("kind") ?? "", method: query.get("kind") ?? "" };
  if (kind === "charts") return `charts/${slug(query.get("kind") ?? "")}-${slug(name)}.html`;
  if (kind === "messages") return "messages.html";
  return named[kind] ? `${kind}/${slug(named[kind])}.html` : "index.html";
}

const PLAIN = /^[a-z0-9][a-z0-9._-]{0,59}$/;

/** Return a readable form of a name for use in an address. Different names have different forms. */
export function slug(name: string): string {
  if (PLAIN.test(name)) return name;
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40);
  return `${words || "n"}-${digest(name).slice(0, 8)}`;
}
