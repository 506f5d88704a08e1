// The result of one seat in words.
import type { SeatResult } from "../../api/types";
import { language, word } from "../../lib/words.svelte";
import { amount } from "./sending";

/** Return a sentence such as 'You came 2nd of 5 with 143 tokens.' Equal ranks are a tie. */
export function placeText(result: SeatResult): string {
  const you = result.standings.find((one) => one.you);
  if (!you) return word("game_is_over");
  const place = places(result)[result.standings.indexOf(you)]!;
  const shared = result.standings.filter((one) => one.rank === you.rank).length > 1;
  const value = amount(roundAmount(you.final), result.unit);
  return word(shared ? "you_tied" : "you_came", { place: language() === "en" ? ordinal(place) : place, seats: result.standings.length, value });
}

/** Return the displayed place of each standing. Ties have the same place. */
export function places(result: SeatResult): number[] {
  return result.standings.map((one) => 1 + result.standings.filter((other) => other.rank < one.rank).length);
}

/** Return an amount rounded to two decimals. */
export const roundAmount = (value: number): number => Math.round(value * 100) / 100;

/** Return the ordinal of a place: 1st, 2nd, 3rd, 4th, 11th, 22nd. */
export function ordinal(place: number): string {
  const tens = place % 100;
  if (tens >= 11 && tens <= 13) return `${place}th`;
  return `${place}${["th", "st", "nd", "rd"][place % 10] ?? "th"}`;
}
