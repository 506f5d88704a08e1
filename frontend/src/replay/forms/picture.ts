// The forms of a record, prepared for drawing: each party has a label, a name and a colour.
import { clean } from "../../lib/format";
import { seatColour, type GameRecord } from "../record";
import type { Form, FormOf, FormParty } from "../scene";
import { count } from "../words";

/** A party in a picture: a seat, or the imagined other player of a subject. */
export interface Party {
  label: string;
  player: string;
  role: string;
  colour: string;
}

export type { Choice, Pair } from "../scene";

type Named<T> = { [Field in keyof T]: T[Field] extends FormParty ? Party : T[Field] extends [FormParty, FormParty] ? [Party, Party] : T[Field] extends FormParty[] ? Party[] : T[Field] };
export type Split = Named<FormOf<"split">>;
export type Flow = Named<FormOf<"flow">>;
export type Matrix = Named<FormOf<"matrix">>;
export type Tree = Named<FormOf<"tree">>;
export type Fund = Named<FormOf<"fund">>;
export type Line = Omit<FormOf<"line">, "pins"> & { pins: { party: Party; value: number | null; best: boolean }[] };
export type Picture = Split | Flow | Matrix | Tree | Fund | Line | FormOf<"dates" | "lotteries" | "gamble" | "budget">;

/** The length to which labels are cut. Our own labels are shorter, but other records may have any text. */
const MAX_LABEL = 24;

function partyOf({ seats }: GameRecord, { seat, role }: FormParty): Party {
  if (seat === null || seat === undefined) return { label: "the other", player: "", role, colour: "var(--strong-line)" };
  const { label, player } = seats[seat]!;
  return { label: clean(label, MAX_LABEL), player: player === label ? "" : player, role, colour: seatColour(seat) };
}

/** Return a form with the names of its parties. */
export function pictureOf(record: GameRecord, form: Form): Picture {
  if (form.form === "line") return { ...form, pins: form.pins.map((pin) => ({ ...pin, party: partyOf(record, pin.party) })) };
  if ("parties" in form) return { ...form, parties: form.parties.map((one) => partyOf(record, one)) } as Picture;
  return form;
}

/** Return an amount as pictures show it: `1,000`, `507.81`, `−2`. */
export const amount = (value: number): string => count(value === 0 ? 0 : value);

/** Return a fraction of 1 in per cent, with at most one decimal. */
export const percent = (share: number): string => `${(100 * share).toLocaleString("en", { maximumFractionDigits: 1 })} %`;

/** Return the position of a value between two other values, from 0 to 1. */
export function place(value: number, low: number, high: number): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
}
