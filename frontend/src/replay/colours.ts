// The colours of players in a replay: those of charts and films, made dark enough for light paper and light enough for
// dark paper; seats that would look the same differ in lightness.
import { getContext, setContext } from "svelte";

import type { Seat } from "./record";

type Channels = readonly [number, number, number];

/** What text asks for (WCAG AA), as labels stand in these colours, with some to spare. */
const CONTRAST = 4.7;
/** Labels stand on paper that has so much of their colour in it. */
const TINT = 0.16;
const STEP = 0.05;
const SHADE = 0.3;
const DEEPEST = 0.75;

const COLOUR = /^#(?:[0-9a-f]{3}){1,2}$/i;

const channels = (colour: string): Channels => {
  const digits = colour.slice(1);
  const all = parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
  return [all >> 16, (all >> 8) & 255, all & 255];
};

const written = (colour: Channels): string => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const mixed = (from: Channels, to: Channels, part: number): Channels =>
  from.map((one, place) => one + (to[place]! - one) * part) as unknown as Channels;

function light(colour: Channels): number {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05;
}

export function contrast(one: string, other: string): number {
  const [a, b] = [light(channels(one)), light(channels(other))];
  return Math.max(a, b) / Math.min(a, b);
}

/** A player's colour on this paper: moved towards the ink until it can be read, and `shade` steps beyond. */
export function toned(colour: string, paper: string, ink: string, shade = 0): string {
  const [from, to] = [channels(colour), channels(ink)];
  let part = 0;
  const read = (ink: Channels): number => contrast(written(ink), written(mixed(channels(paper), ink, TINT)));
  while (part < 1 && read(mixed(from, to, part)) < CONTRAST) part += STEP;
  return written(mixed(from, to, Math.min(Math.max(part, DEEPEST), part + shade * SHADE * (1 - part))));
}

/** The colour of every seat; none where the record says none. */
export function seatColours(seats: readonly Seat[], paper: string, ink: string): string[] {
  if (![paper, ink].every((one) => COLOUR.test(one))) return [];
  const often = new Map<string, number>();
  return seats.map(({ colour }) => {
    if (!colour) return "";
    const shade = often.get(colour) ?? 0;
    often.set(colour, shade + 1);
    return toned(colour, paper, ink, shade);
  });
}

const KEY = Symbol("colours of seats");

/** Say the colours of seats to all that is drawn inside a component. */
export const offerSeatColours = (colours: () => readonly string[]): void => void setContext(KEY, colours);

/** The colours that were said, or else those of the page. */
export const offeredSeatColours = (): (() => readonly string[]) | undefined => getContext(KEY);
