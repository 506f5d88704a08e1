// The links of people and the states of their seats.
import type { SeatLink } from "../../api/types";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

interface Place {
  hostname: string;
  origin: string;
  pathname: string;
}

/** Return the address of these pages for others. It is the current address or, if this is the loopback interface, the
 * server's address in the network. */
export function pagesFor(place: Place, known: string | null): string {
  return known !== null && LOOPBACK.has(place.hostname) ? known : `${place.origin}${place.pathname}`;
}

/** True if a link works only on this machine. */
export const isForThisMachine = (pages: string): boolean => LOOPBACK.has(new URL(pages).hostname);

/** Return the full address of a seat. */
export const seatAddress = (pages: string, token: string): string => `${pages}#/seat/${encodeURIComponent(token)}`;

/** Return all links, one per line. */
export function allLinks(pages: string, seats: readonly SeatLink[]): string {
  return seats.flatMap((seat) => (seat.token === null ? [] : `${seat.label}: ${seatAddress(pages, seat.token)}`)).join("\n");
}

type Tone = "plain" | "accent" | "good" | "gold" | "bad";

export const SEAT_STATES: Record<SeatLink["state"], { word: string; tone: Tone }> = {
  unopened: { word: "not opened", tone: "plain" },
  here: { word: "here", tone: "good" },
  thinking: { word: "thinking", tone: "accent" },
  answered: { word: "answered", tone: "good" },
  away: { word: "away", tone: "gold" },
  over: { word: "over", tone: "good" },
  void: { word: "void", tone: "bad" },
  stopped: { word: "stopped", tone: "gold" },
};
