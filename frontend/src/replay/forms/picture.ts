// What is drawn of a game of the battery: one shape for each form of game, the same whether it was played at a table or
// asked of one subject. Records are anybody's: a picture is made of checked numbers, or not at all.
import { clean } from "../../lib/format";
import { isNumber, seatColour, type GameRecord } from "../record";

/** Somebody in a picture: a seat, or the other one that a subject is asked to think of. */
export interface Party {
  label: string;
  player: string;
  role: string;
  colour: string;
}

/** What was asked of a subject who chooses: the options as shown, by what they mean, with their letters. */
export interface Choice {
  options: string[];
  labels: string[];
  /** The option that was chosen; null where none was, or where it is not known yet. */
  answer: string | null;
}

export type Pair<T> = [T, T];
type Two = { parties: Pair<Party> };

/** A pot divided between two: who divides it may need the other's consent. */
export type Split = Two & { form: "split"; pot: number; offer: number | null; consent: boolean; accepted: boolean | null };
/** Money sent, grown on its way, and sent back. */
export type Flow = Two & { form: "flow"; endowment: number; multiplier: number; sent: number | null; received: number | null; returned: number | null };
/** Two options each; `payoffs[row][column]` are those of the two. */
export type Matrix = Two & { form: "matrix"; options: Pair<string>; payoffs: Pair<Pair<Pair<number>>>; row: number | null; column: number | null };
/** Take or pass, node by node. */
export type Tree = Two & { form: "tree"; nodes: Pair<number>[]; end: Pair<number>; moves: ("take" | "pass")[]; asked: number | null };
/** Two claims; both get the lower one, and a bonus goes from the higher to the lower. */
export type Claims = Two & { form: "claims"; low: number; high: number; bonus: number; claims: Pair<number | null> };
/** A common fund that grows and is shared out. */
export interface Fund {
  form: "fund";
  parties: Party[];
  players: number;
  endowment: number;
  multiplier: number;
  contributions: number[] | null;
  /** Known when all have contributed. */
  outcome: { fund: number; share: number } | null;
}
/** Numbers on a line, and the part of their mean that was aimed at. */
export interface Guesses {
  form: "guesses";
  parties: Party[];
  low: number;
  high: number;
  part: number;
  prize: number;
  guesses: number[] | null;
  outcome: { mean: number; target: number; closest: number[] } | null;
}
export interface Dates { form: "dates"; sooner: number; soonerDays: number; later: number; laterDays: number; choice: Choice }
/** Chances of each outcome, the worst first. */
export interface Lotteries { form: "lotteries"; outcomes: number[]; reference: number[]; other: number[]; choice: Choice }
export interface Gamble { form: "gamble"; gain: number; loss: number; choice: Choice }
export interface Urns { form: "urns"; prize: number; known: number; choice: Choice }
/** An income spent on two goods; `bought` is the amount of the first. */
export interface Budget { form: "budget"; income: number; prices: Pair<number>; bought: number | null }

export type Picture = Split | Flow | Matrix | Tree | Claims | Fund | Guesses | Dates | Lotteries | Gamble | Urns | Budget;

/** An amount as pictures show it: `1,000`, `507.81`, `−2`. */
export function amount(value: number): string {
  return (Object.is(value, -0) ? 0 : value).toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−");
}

/** A share of 1 in whole per cent, or with a decimal where that says more. */
export function percent(share: number): string {
  return `${(100 * share).toLocaleString("en", { maximumFractionDigits: 1 })} %`;
}

/** Labels are short names of ours; a record of somebody else's may have any text there. */
const LABEL = 24;

/** A seat of a record. */
export function partyAt({ seats }: GameRecord, seat: number, role: string): Party {
  const { label, player } = seats[seat]!;
  return { label: clean(label, LABEL), player: player === label ? "" : player, role, colour: seatColour(seat) };
}

/** These fields, where all of them are numbers that can be drawn. */
export function figures<Name extends string>(fields: Record<string, unknown>, ...names: Name[]): Record<Name, number> | null {
  return names.every((name) => isNumber(fields[name])) ? (Object.fromEntries(names.map((name) => [name, fields[name]])) as Record<Name, number>) : null;
}

export function isPair(value: unknown): value is Pair<number> {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber);
}

/** Pairs of numbers, at least one. */
export function arePairs(value: unknown): value is Pair<number>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPair);
}

/** Where a value lies between two others, as a share within 0 and 1. */
export function place(value: number, low: number, high: number): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
}

/** What both get in a stag hunt, by row and column: stag, hare. */
export function staghunt(stag: number, hare: number): Matrix["payoffs"] {
  return [
    [[stag, stag], [0, hare]],
    [[hare, 0], [hare, hare]],
  ];
}

/** What both get in matching pennies, by row and column: heads, tails; the row wins where they match. */
export function pennies(prize: number): Matrix["payoffs"] {
  return [
    [[prize, 0], [0, prize]],
    [[0, prize], [prize, 0]],
  ];
}

export const HUNT: Pair<string> = ["stag", "hare"];
export const SIDES: Pair<string> = ["heads", "tails"];

/** The place of an option, or null where it is none of them. */
export function optionAt(options: readonly string[], option: unknown): number | null {
  const at = options.indexOf(option as string);
  return at < 0 ? null : at;
}
