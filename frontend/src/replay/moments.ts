// Navigation between the moments of a replay. `stops` are in ascending order from 0.
import type { Mark } from "./fold";

/** Return the position of the first stop at or after `seen`, or of the last stop if there is none. */
export function placeOf(stops: number[], seen: number): number {
  return Math.min(countWhile(stops, (stop) => stop < seen), Math.max(stops.length - 1, 0));
}

/** Return the number of entries at the beginning that satisfy a condition, by binary search. */
export function countWhile<T>(list: readonly T[], holds: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return the stop of `turns` after or before `seen`. If there is none, return the last or the first of all stops. */
export function nextTurnStop(stops: number[], turns: number[], seen: number, direction: 1 | -1): number {
  const first = stops[0] ?? 0;
  const last = stops.at(-1) ?? 0;
  if (turns.length === 0) return direction > 0 ? last : first;
  const place = placeOf(turns, seen);
  const at = turns[place]!;
  if (direction > 0) return at > seen ? at : (turns[place + 1] ?? last);
  return at < seen ? at : (turns[place - 1] ?? first);
}

/** The maximum number of marks on the time axis. */
const MAX_MARKS = 200;

/** Return marks with their positions among `stops`. If several marks overlap, only the first is kept. */
export function positionMarks(marks: Mark[], stops: number[]): (Mark & { place: number })[] {
  const positioned = marks.map((mark) => ({ ...mark, place: placeOf(stops, mark.at) }));
  if (positioned.length <= MAX_MARKS) return positioned;
  const last = Math.max(stops.length - 1, 1);
  let bin = -1;
  return positioned.filter(({ place }) => {
    const its = Math.floor((place / last) * (MAX_MARKS - 1));
    const first = its > bin;
    bin = Math.max(bin, its);
    return first;
  });
}

/** The available speeds, in moments per second. */
export const SPEEDS = [0.5, 1, 2, 5, 10, 20, 30, 60];

/** Return the next higher or lower speed. */
export function otherSpeed(speed: number, direction: 1 | -1): number {
  const next = direction > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
  return next ?? speed;
}

/** The longest time between two frames that counts. A longer pause of the page (a hidden tab, a sleeping machine) is not
 * made up for. */
const MAX_FRAME_MS = 500;

/** Converts frames at irregular times into moments at a constant speed. Fractions of moments are carried over. */
export class Clock {
  #last: number | null = null;
  #due = 0;

  /** Return the number of moments that are due at this frame. */
  tick(now: number, speed: number): number {
    const passed = this.#last === null ? 0 : Math.min(Math.max(now - this.#last, 0), MAX_FRAME_MS);
    this.#last = now;
    this.#due += (passed / 1000) * speed;
    const whole = Math.floor(this.#due);
    this.#due -= whole;
    return whole;
  }
}
