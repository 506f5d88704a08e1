// Finding one's way among the moments of a replay. `stops` ascend and begin with 0.
import type { Mark } from "./fold";

/** The place of the first stop at or after `seen`; the last one where none is. */
export function placeOf(stops: number[], seen: number): number {
  return Math.min(countWhile(stops, (stop) => stop < seen), Math.max(stops.length - 1, 0));
}

/** How many entries of a list hold to something that only the first ones do. */
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

/** The next stop of `turns` after `seen`, or the one before it; the ends of all stops where there is none. */
export function turnwise(stops: number[], turns: number[], seen: number, direction: 1 | -1): number {
  const first = stops[0] ?? 0;
  const last = stops.at(-1) ?? 0;
  if (turns.length === 0) return direction > 0 ? last : first;
  const place = placeOf(turns, seen);
  const at = turns[place]!;
  if (direction > 0) return at > seen ? at : (turns[place + 1] ?? last);
  return at < seen ? at : (turns[place - 1] ?? first);
}

/** No more marks than this stand on the time axis. */
const MOST_MARKS = 200;

/** Marks with their places among `stops`; of many that would fall together, the first. */
export function placedMarks(marks: Mark[], stops: number[]): (Mark & { place: number })[] {
  const placed = marks.map((mark) => ({ ...mark, place: placeOf(stops, mark.at) }));
  if (placed.length <= MOST_MARKS) return placed;
  const last = Math.max(stops.length - 1, 1);
  let bin = -1;
  return placed.filter(({ place }) => {
    const its = Math.floor((place / last) * (MOST_MARKS - 1));
    const first = its > bin;
    bin = Math.max(bin, its);
    return first;
  });
}

/** Speeds to choose from, in moments a second. */
export const SPEEDS = [0.5, 1, 2, 5, 10, 20, 30, 60];

/** The next faster or slower speed. */
export function otherSpeed(speed: number, direction: 1 | -1): number {
  const next = direction > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
  return next ?? speed;
}

/** A pause of the whole page longer than this (a hidden tab, a sleeping machine) is not made up for. */
const LONGEST_FRAME_MS = 500;

/** Turns frames, which come when they come, into moments at an even speed: what is left over is carried on. */
export class Clock {
  #last: number | null = null;
  #due = 0;

  /** How many moments are due at this frame. */
  tick(now: number, speed: number): number {
    const passed = this.#last === null ? 0 : Math.min(Math.max(now - this.#last, 0), LONGEST_FRAME_MS);
    this.#last = now;
    this.#due += (passed / 1000) * speed;
    const whole = Math.floor(this.#due);
    this.#due -= whole;
    return whole;
  }
}
