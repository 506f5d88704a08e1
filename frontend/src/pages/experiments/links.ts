// The links of people: where they lead, and what to say of who holds them.
import type { SeatLink } from "../../api/types";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

interface Place {
  hostname: string;
  origin: string;
  pathname: string;
}

/** Where others find these pages. Who is here by a name that others know hands on that name; who is here by a name that
 * means this machine to everybody needs the address that the server knows. */
export function pagesFor(place: Place, known: string | null): string {
  return known !== null && LOOPBACK.has(place.hostname) ? known : `${place.origin}${place.pathname}`;
}

/** Whether a link means the machine that it is opened on, whichever that is. */
export const isForThisMachine = (pages: string): boolean => LOOPBACK.has(new URL(pages).hostname);

/** The address of a seat, complete, for somebody who gets it sent. */
export const seatAddress = (pages: string, token: string): string => `${pages}#/seat/${encodeURIComponent(token)}`;

/** All links, a line each, to be handed out from. */
export function allLinks(pages: string, seats: readonly SeatLink[]): string {
  return seats.flatMap((seat) => (seat.token === null ? [] : `${seat.label}: ${seatAddress(pages, seat.token)}`)).join("\n");
}

type Tone = "plain" | "accent" | "good" | "gold" | "bad";

export const DOING: Record<SeatLink["state"], { word: string; tone: Tone }> = {
  unopened: { word: "not opened", tone: "plain" },
  here: { word: "here", tone: "good" },
  thinking: { word: "thinking", tone: "accent" },
  answered: { word: "answered", tone: "good" },
  away: { word: "away", tone: "gold" },
  over: { word: "over", tone: "good" },
  void: { word: "void", tone: "bad" },
  stopped: { word: "stopped", tone: "gold" },
};
