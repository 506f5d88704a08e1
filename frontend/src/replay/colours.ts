// The colours of players in a replay. They are those of charts and films, adjusted for contrast in the light and the
// dark theme. Seats of the same colour differ in lightness.
import { getContext, setContext } from "svelte";

import type { Seat } from "./record";

type Channels = readonly [number, number, number];

/** The required contrast: that of text (WCAG AA) with a margin, because labels have these colours. */
const CONTRAST = 4.7;
/** The share of a label's colour in the label's background. */
const TINT = 0.16;
const STEP = 0.05;
const SHADE = 0.3;
const MAX_SHADE = 0.75;

/** The colours of players on dark paper, by their colours on light paper. They are the same as in ostrom.charts.palette. */
const DARK: Record<string, string> = {
  "#d14a00": "#cc7300", "#4b9a80": "#86b48d", "#6387ff": "#79a9ff", "#a67398": "#f7acc8",
  "#c58a00": "#dbb400", "#1fa0b5": "#0094b0", "#89854f": "#e4ff59", "#66626f": "#eefff3",
  "#7340ff": "#8c6fff", "#855c3d": "#fedbb4", "#f56083": "#c96d5d", "#13699e": "#d2cafe",
  "#8a8f98": "#878789",
};

const COLOUR = /^#(?:[0-9a-f]{3}){1,2}$/i;

const channels = (colour: string): Channels => {
  const digits = colour.slice(1);
  const all = parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
  return [all >> 16, (all >> 8) & 255, all & 255];
};

const hexOf = (colour: Channels): string => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const mix = (from: Channels, to: Channels, part: number): Channels =>
  from.map((one, place) => one + (to[place]! - one) * part) as unknown as Channels;

function light(colour: Channels): number {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05;
}

export function contrast(one: string, other: string): number {
  const [a, b] = [light(channels(one)), light(channels(other))];
  return Math.max(a, b) / Math.min(a, b);
}

/** Return a player's colour on this paper: mixed with the ink until it is readable, and then changed by `shade` further
 * steps. */
export function adjustColour(colour: string, paper: string, ink: string, shade = 0): string {
  const dark = light(channels(paper)) < light(channels(ink));
  const [from, to] = [channels(dark ? (DARK[colour] ?? colour) : colour), channels(ink)];
  let part = 0;
  const read = (ink: Channels): number => contrast(hexOf(ink), hexOf(mix(channels(paper), ink, TINT)));
  while (part < 1 && read(mix(from, to, part)) < CONTRAST) part += STEP;
  return hexOf(mix(from, to, Math.min(Math.max(part, MAX_SHADE), part + shade * SHADE * (1 - part))));
}

/** Return the colour of every seat; empty if the record has no colours. */
export function seatColours(seats: readonly Seat[], paper: string, ink: string): string[] {
  if (![paper, ink].every((one) => COLOUR.test(one))) return [];
  const often = new Map<string, number>();
  return seats.map(({ colour }) => {
    if (!colour) return "";
    const shade = often.get(colour) ?? 0;
    often.set(colour, shade + 1);
    return adjustColour(colour, paper, ink, shade);
  });
}

const KEY = Symbol("colours of seats");

/** Provide the colours of seats to all components inside. */
export const offerSeatColours = (colours: () => readonly string[]): void => void setContext(KEY, colours);

/** Return the provided colours, if there are any. */
export const currentSeatColours = (): (() => readonly string[]) | undefined => getContext(KEY);
