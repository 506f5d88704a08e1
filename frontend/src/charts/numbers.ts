// Estimates as text. For an unknown value, the text is a dash or the reason.
import { figure, percent } from "../lib/format";
import type { Span } from "../api/types";

export const UNKNOWN = "–";

export function known(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? UNKNOWN : figure(value, digits);
}

export const share = (value: number | null | undefined): string => value === null || value === undefined ? UNKNOWN : percent(value);

/** Return "0.68 to 1.36", or an empty text if there is no interval. */
export function interval(span: Span, digits: number): string {
  return span.low == null || span.high == null ? "" : `${figure(span.low, digits)} to ${figure(span.high, digits)}`;
}
