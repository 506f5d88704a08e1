// What an item is about, in words: the conditions and facts that the tasks of the battery record. Names that are not
// known are told as they are, with their values.
import { valued } from "../generic/words";
import { isNumber } from "../record";

const amount = (text: string): string => (isFigure(text) ? Number(text).toLocaleString("en", { maximumFractionDigits: 10 }) : text);
const share = (text: string): string => (isFigure(text) ? `${amount(String(Number((100 * Number(text)).toPrecision(10))))} %` : text);
const months = (text: string): string => `${amount(text)} ${text === "1" ? "month" : "months"}`;
const spaced = (text: string): string => text.replaceAll(",", ", ");

const CONDITIONS: Record<string, (value: string) => string> = {
  later: (value) => `${amount(value)} later`,
  delay: (value) => `${months(value)} apart`,
  front: (value) => (value === "0" ? "the sooner one today" : `the sooner one in ${months(value)}`),
  reference: (value) => `reference lottery ${spaced(value)}`,
  dominance: (value) => `question of dominance ${value}`,
  triple: (value) => `triple ${value}`,
  pair: (value) => `options ${[...value].join(" and ")}`,
  pot: (value) => `a pot of ${amount(value)}`,
  offer: (value) => `an offer of ${percent(value)}`,
  endowment: (value) => `an endowment of ${amount(value)}`,
  sent: (value) => `${percent(value)} of it sent`,
  multiplier: (value) => `contributions grow × ${amount(value)}`,
  stag: (value) => `a stag worth ${amount(value)}`,
  hare: (value) => `a hare worth ${share(value)} of it`,
  node: (value) => `node ${value}`,
  scale: (value) => `amounts × ${amount(value)}`,
  bonus: (value) => `a bonus of ${amount(value)}`,
  prize: (value) => `a prize of ${amount(value)}`,
  known: (value) => `a known chance of ${share(value)}`,
  role: (value) => `as the ${value}`,
  budget: (value) => `budget ${value}`,
  income: (value) => `an income of ${amount(value)}`,
  prices: (value) => `prices of ${value.split(",").map(amount).join(" and ")}`,
  gain: (value) => `a gain of ${amount(value)}`,
  loss: (value) => `a loss of ${amount(value)}`,
};

/** A condition in words: `later=1000 delay=36 front=0` is `1,000 later, 36 months apart, the sooner one today`. */
export function conditionIn(text: string): string {
  const parts = text.split(" ").map((part) => /^([a-z_]+)=(.+)$/.exec(part));
  if (!parts.every((part) => part !== null)) return valued(text);
  return valued(parts.map(([, name, value]) => (Object.hasOwn(CONDITIONS, name!) ? CONDITIONS[name!]!(value!) : `${name!.replaceAll("_", " ")} ${value}`)).join(", "));
}

const FACTS: Record<string, string> = {
  sooner: "sooner amount", later: "later amount", sooner_days: "sooner one after", later_days: "later one after",
  reference: "chances of the reference", other: "chances of the other", known_p: "known chance", p: "target, as part of the mean",
  unit: "smallest step", low: "lowest", high: "highest", step: "in steps of", scale: "amounts ×", payoffs: "taken and left, by node", end: "at the end",
};
const CHANCES = new Set(["reference", "other", "known_p"]);
const DAYS = new Set(["sooner_days", "later_days"]);

/** A fact of an item: what it is called, and its value. */
export function factIn(name: string, value: unknown): { title: string; text: string } {
  const title = Object.hasOwn(FACTS, name) ? FACTS[name]! : name.replaceAll("_", " ");
  if (DAYS.has(name) && isNumber(value)) return { title, text: value === 0 ? "today" : `${amount(String(Math.round(value)))} days` };
  if (CHANCES.has(name)) {
    const chances = Array.isArray(value) ? value : [value];
    if (chances.length <= 20 && chances.every(isNumber)) return { title, text: chances.map((one) => share(String(Number(one.toPrecision(3))))).join(", ") };
  }
  if (Array.isArray(value) && value.length <= 20 && value.every(isNumber)) return { title, text: value.map(rounded).join(", ") };
  return { title, text: isNumber(value) ? rounded(value) : valued(value) };
}

/** With four digits, or with all before the point and three after it. */
function rounded(value: number): string {
  return amount(String(Number(value.toPrecision(4 + Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1)))))));
}

function percent(text: string): string {
  return text.replace(/%$/, " %");
}

function isFigure(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
