// Sentences of a record as plain text. Players' texts are cut to a maximum length.
import type { GameRecord } from "./record";
import type { Quantity, Sentence } from "./scene";

const PLAIN = /^[\x20-\x7e]{1,24}$/;
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;
/** The length to which values are cut. The record has the complete values. */
const MAX_CHARACTERS = 2000;

/** Return the label of a seat. A record from elsewhere may have any text as a label, so the label is cut, and it cannot
 * change the direction of the text around it. */
export function labelOf(record: GameRecord, seat: number): string {
  const label = record.seats[seat]?.label ?? `P${seat + 1}`;
  return PLAIN.test(label) ? label : `\u2068${cut(label.replace(DIRECTION_MARKS, ""), 24)}\u2069`;
}

/** Return the player of a seat, cut to `most` characters. */
export const playerOf = (record: GameRecord, seat: number, most = 80): string => cut(record.seats[seat]?.player ?? "", most);

/** Return the text of a seat in its scene, such as its role; empty if there is none. */
export const roleOf = (record: GameRecord, seat: number): string => cut(record.scene?.roles?.[seat] ?? "", 80);

/** Return the beginning of a text, without cutting a character in half. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Return a sentence as plain text, with the labels of seats. */
export function sentenceOf(record: GameRecord, sentence: Sentence): string {
  return cut(sentence.map((span) => (typeof span === "string" ? span : "seat" in span ? labelOf(record, span.seat) : `“${span.quote}”`)).join(""), MAX_CHARACTERS);
}

/** Return a number in the format of its quantity, which determines decimals, sign and per cent. */
export function formatQuantity(quantity: Quantity | undefined, value: number | null): string {
  if (value === null) return "–";
  const scaled = quantity?.percent ? 100 * value : value;
  const digits = quantity?.digits;
  const written = (scaled === 0 ? 0 : Math.abs(scaled)).toLocaleString("en", digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // A number that is rounded to zero has no minus sign.
  const below = scaled < 0 && !/^[0.]+$/.test(written);
  const sign = below ? "−" : quantity?.signed ? "+" : "";
  return `${sign}${written}${quantity?.percent ? " %" : ""}`;
}

/** Return a number with separators. */
export const count = (amount: number): string => amount.toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−");

/** Return a value of any kind as text of limited length. */
export const formatValue = (value: unknown): string => cut(written(value), MAX_CHARACTERS);

function written(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "number") return String(Number(value.toPrecision(10))).replace("-", "−");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `(${value.slice(0, 200).map(written).join(", ")})`;
  return Object.entries(value as object).slice(0, 200).map(([name, one]) => `${name} ${written(one)}`).join(", ");
}
