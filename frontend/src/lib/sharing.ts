// Addresses for readers elsewhere: frames in pages of other sites, and cards.
import { published, shared } from "../api/client";
import { address } from "./router.svelte";
import type { Query } from "./query";

const here = (): string => location.href.split("#")[0]!;

/** Return the address that shows only a replay or a chart. */
export const frameAddress = (parts: string[], query: Query = {}): string =>
  new URL(`${published ? "embed.html" : "embed/"}${address(parts, query)}`, here()).href;

/** Return the line of HTML that shows an address in a frame. */
export const frameLine = (frame: string, title: string): string =>
  `<iframe src="${escaped(frame)}" title="${escaped(title)}" width="100%" height="720" style="border:0" loading="lazy"></iframe>`;

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

/** Return the address of the page whose link shows a card. A lab has such pages for this machine and for servers without
 * a password; a published site has one file for each. */
export function sharePage(kind: "games" | "players" | "subjects" | "charts" | "experiments", name: string, query: Query = {}): string {
  const route = address([kind, name], query).slice(1);
  return published ? (shared([kind, name], new URLSearchParams(route.split("?")[1] ?? "")) ?? here()) : new URL(`share${route}`, here()).href;
}
