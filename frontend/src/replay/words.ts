// Sentences of a record as plain text, and text of players cut to a length that a page can bear.
import type { GameRecord } from "./record";
import type { Quantity, Sentence } from "./scene";

const PLAIN = /^[\x20-\x7e]{1,24}$/;
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;
/** Longer values are cut; the record has them whole. */
const MOST_SIGNS = 2000;

/** What the others call a seat. A record from elsewhere may hold any text there: it is cut, and cannot turn the
 * direction of what stands around it. */
export function labelOf(record: GameRecord, seat: number): string {
  const label = record.seats[seat]?.label ?? `P${seat + 1}`;
  return PLAIN.test(label) ? label : `\u2068${cut(label.replace(TURNS_DIRECTION, ""), 24)}\u2069`;
}

/** Who sits there, at most so long. */
export const playerOf = (record: GameRecord, seat: number, most = 80): string => cut(record.seats[seat]?.player ?? "", most);

/** The beginning of a text, never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A sentence as plain text, with seats by their labels. */
export function sentenceOf(record: GameRecord, sentence: Sentence): string {
  return cut(sentence.map((span) => (typeof span === "string" ? span : "seat" in span ? labelOf(record, span.seat) : `“${span.quote}”`)).join(""), MOST_SIGNS);
}

/** A number as its quantity is written: decimals, sign, per cent. */
export function shownAs(quantity: Quantity | undefined, value: number | null): string {
  if (value === null) return "–";
  const scaled = quantity?.percent ? 100 * value : value;
  const digits = quantity?.digits;
  const written = (scaled === 0 ? 0 : Math.abs(scaled)).toLocaleString("en", digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // What is rounded to nothing is not below it.
  const below = scaled < 0 && !/^[0.]+$/.test(written);
  const sign = below ? "−" : quantity?.signed ? "+" : "";
  return `${sign}${written}${quantity?.percent ? " %" : ""}`;
}

/** A whole number as it is read. */
export const count = (amount: number): string => amount.toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−");

/** A value of any kind in a line; never longer than a paragraph. */
export const valued = (value: unknown): string => cut(written(value), MOST_SIGNS);

function written(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "number") return String(Number(value.toPrecision(10))).replace("-", "−");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `(${value.slice(0, 200).map(written).join(", ")})`;
  return Object.entries(value as object).slice(0, 200).map(([name, one]) => `${name} ${written(one)}`).join(", ");
}
