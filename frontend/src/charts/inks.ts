// The colours of charts on light and dark pages.
import type { Spec } from "./specs";

/** The contrast that WCAG AA requires for text. */
export const TEXT = 4.5;
const HEX = /^#[0-9a-f]{6}$/i;

const channels = (colour: string): number[] => [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));

/** The relative luminance, as defined by WCAG 2. */
export function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Return the colour, mixed with the ink as much as is needed for contrast with the paper. */
export function legible(colour: string, ink: string, paper: string): string {
  if (![colour, ink, paper].every((one) => HEX.test(one))) return colour;
  for (let part = 0; part < 1; part += 0.1) {
    const mixed = mix(colour, ink, part);
    if (contrast(mixed, paper) >= TEXT) return mixed;
  }
  return ink;
}

function mix(colour: string, ink: string, part: number): string {
  const [from, to] = [channels(colour), channels(ink)];
  return `#${from.map((channel, index) => Math.round(channel + (to[index]! - channel) * part).toString(16).padStart(2, "0")).join("")}`;
}

/** The specification with its colours for the dark theme. */
export function onDark(spec: Spec): Spec {
  const inks: Record<string, string> = spec["usermeta"]?.dark ?? {};
  const recolour = (part: unknown): unknown => {
    if (typeof part === "string") return inks[part] ?? part;
    if (Array.isArray(part)) return part.map(recolour);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, name === "datasets" || name === "values" || name === "usermeta" ? value : recolour(value)]));
  };
  return Object.keys(inks).length ? (recolour(spec) as Spec) : spec;
}

/** Return the colour that the chart uses, for text next to the chart. */
export const inkOf = (spec: Spec, colour: string, dark: boolean): string => (dark ? (spec["usermeta"]?.dark?.[colour] ?? colour) : colour);

/** Return the specification with its coloured texts changed so that they are legible. White and black texts are on marks,
 * not on the paper, so they are not changed. */
export function legibleWords(spec: Spec, ink: string, paper: string): Spec {
  const result: Spec = { ...spec };
  const mark = spec["mark"];
  if (mark?.type === "text" && typeof mark.color === "string" && HEX.test(mark.color)) {
    const light = luminance(mark.color);
    if (light > 0.04 && light < 0.75) result["mark"] = { ...mark, color: legible(mark.color, ink, paper) };
  }
  for (const inner of ["layer", "hconcat", "vconcat"]) {
    if (Array.isArray(spec[inner])) result[inner] = spec[inner].map((unit: Spec) => legibleWords(unit, ink, paper));
  }
  return result;
}
