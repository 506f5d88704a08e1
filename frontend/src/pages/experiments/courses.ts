// The course of a game as a small chart and in words.
import type { GameCourse } from "../../api/types";
import { listed, percent } from "../../lib/format";

/** Return the path of a step line through values between 0 and 1, with one step for each round. */
export function pathOf(values: readonly number[], width: number, height: number): string {
  const step = width / values.length;
  const up = (value: number): string => (height - Math.min(Math.max(value, 0), 1) * height).toFixed(1);
  return values.map((value, place) => `${place ? "V" : "M0 "}${up(value)}H${((place + 1) * step).toFixed(1)}`).join("");
}

/** The largest number of winners that are named. Further winners are only counted. */
const MAX_NAMED_WINNERS = 2;

/** Return the names of the winners; empty in an unfinished game. */
export function winnersOf({ winners }: Pick<GameCourse, "winners">, players: readonly string[]): string {
  const names = [...new Set(winners.map((seat) => players[seat] ?? `P${seat + 1}`))];
  return listed(names.length > MAX_NAMED_WINNERS + 1 ? [...names.slice(0, MAX_NAMED_WINNERS), `${names.length - MAX_NAMED_WINNERS} more`] : names);
}

/** Return the course of a game in words, for screen readers. */
export function courseText(course: GameCourse, players: readonly string[]): string {
  const { cooperation } = course;
  const [first, last] = [cooperation[0], cooperation.at(-1)];
  if (first === undefined || last === undefined) return "";
  const mean = cooperation.reduce((sum, value) => sum + value, 0) / cooperation.length;
  const won = winnersOf(course, players);
  return `Cooperation: ${percent(first, 0)} at first, ${percent(last, 0)} at last, ${percent(mean, 0)} on average${won ? `; won by ${won}` : ""}`;
}
