// Numbers, money, dates and names as people read them.
const LOCALE = "en-GB";
const whole = new Intl.NumberFormat(LOCALE);
const dollars = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
const smallChange = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", maximumSignificantDigits: 2 });
const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const full = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeStyle: "short" });
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
const fixed = new Map<number, Intl.NumberFormat>();

/** Return a number with a fixed number of decimals and a true minus sign. */
export function figure(value: number, digits = 2): string {
  let format = fixed.get(digits);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    fixed.set(digits, format);
  }
  // A value that is rounded to zero has no sign.
  const text = format.format(value);
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** 12,345 */
export const count = (value: number): string => whole.format(value);

/** "1 game", "3 games" */
export const counted = (value: number, noun: string, nouns = `${noun}s`): string => `${count(value)} ${value === 1 ? noun : nouns}`;

/** Return an amount such as $1.20. Amounts below a cent have two significant digits. */
export function money(value: number | null): string {
  if (value === null) return "–";
  return value !== 0 && Math.abs(value) < 0.01 ? smallChange.format(value) : dollars.format(value);
}

/** Return a share, given as a fraction of 1, as a percentage: 0.034 → "3.4 %" */
export const percent = (share: number, digits = 1): string => `${figure(share * 100, share === 0 || share === 1 ? 0 : digits)} %`;

/** Return "just now", "3 minutes ago" or "yesterday". For times more than a month ago, return the date. */
export function ago(at: string, now: number = Date.now()): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const seconds = (time - now) / 1000;
  const far = Math.abs(seconds);
  if (far < 45) return "just now";
  if (far < 45 * 60) return relative.format(Math.round(seconds / 60), "minute");
  if (far < 22 * 3600) return relative.format(Math.round(seconds / 3600), "hour");
  if (far < 30 * 86_400) return relative.format(Math.round(seconds / 86_400), "day");
  return day.format(time);
}

/** Return the complete date and time. */
export function moment(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : full.format(time);
}

/** Return a name without control and direction characters, cut to the length of a title. */
export function clean(name: string, most = 80): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").replace(/\s+/g, " ").trim();
  return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
}

/** Return "two words" for "two_words". This is for names that have no title. */
export const spaced = (name: string): string => name.replaceAll("_", " ");

/** A phrase as a sentence: "messages, and a fund" → "Messages, and a fund." */
export function sentence(phrase: string): string {
  return /[.!?]$/.test(phrase) ? capital(phrase) : `${capital(phrase)}.`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/** Return a number on an axis up to `high`: `8,000`, or `120K` if complete numbers would be too wide. */
export function onAxis(value: number, high: number): string {
  // Negative zero is shown as zero.
  return (Math.abs(high) >= 100_000 ? short : plain).format(value === 0 ? 0 : value).replace("-", "−");
}

/** Return names with the number of times that each occurs, in the order of first occurrence. */
export function tally(names: readonly string[]): { name: string; times: number }[] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, number]) => ({ name, times: number }));
}

const signs = new Map<string, string>();

/** Return the sign between the whole part and the decimals of a number: a comma in German. */
export function decimalSign(language: string): string {
  let sign = signs.get(language);
  if (sign === undefined) {
    const [locale = "en"] = Intl.NumberFormat.supportedLocalesOf([/^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(language) ? language : "en"]);
    sign = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
    signs.set(language, sign);
  }
  return sign;
}
