// The whole game as lines to be read from top to bottom: who said what, and what was done. A record that grows while its
// game is being played is written on from where it was.
import { capital } from "../lib/format";
import { foldOf, momentTurn } from "./fold";
import { countWhile, placeOf } from "./moments";
import type { GameEvent, GameRecord } from "./record";
import type { Sentence, Telling, Tone } from "./scene";
import { shownAs } from "./words";

export interface Line {
  /** How many events have been seen when it is the newest. */
  at: number;
  turn: number;
  /** The turn in words where this is its first line. */
  opens: string;
  said: { seat: number; text: string } | null;
  heading: string;
  words: Sentence[];
  tone: Tone;
}

/** Of a larger table not every seat's holding is written down. */
const MOST_SEATS = 16;

const written = new WeakMap<GameEvent[], { read: number; lines: Line[] }>();

/** The lines of a record as far as it goes. */
export function linesOf(record: GameRecord): Line[] {
  let found = written.get(record.events);
  if (!found) written.set(record.events, (found = { read: 0, lines: [] }));
  const end = Math.min(record.events.length, record.told.length);
  for (; found.read < end; found.read++) {
    const telling = record.told[found.read]!;
    const line = lineOf(record, telling, found.read + 1);
    if (!line) continue;
    const before = found.lines.at(-1);
    const many = record.scene?.layout === "table";
    // Where most turns are one line, the line itself says which turn it is.
    if (line.turn > 0 && line.turn !== before?.turn && many) line.opens = momentTurn(record, telling);
    else if (!many && !telling.asked && !line.said) line.heading = [momentTurn(record, telling), line.heading.toLowerCase()].filter(Boolean).join(", ") || line.heading;
    found.lines.push(line);
  }
  return found.lines;
}

function lineOf(record: GameRecord, telling: Telling, at: number): Line | null {
  const line: Line = { at, turn: Math.max(telling.turn ?? 0, 0), opens: "", said: null, heading: "", words: [], tone: "plain" };
  for (const effect of telling.effects ?? []) {
    if (effect.do === "say") line.said = { seat: effect.seat, text: effect.text };
    else if (effect.do === "mark") line.tone = effect.tone ?? "plain";
  }
  if (line.said) return line;
  if (telling.asked) return { ...line, heading: `${capital(record.scene!.clock || "item")} ${telling.turn ?? at}`, words: [[asked(telling)]] };
  const phase = record.scene?.phases?.find(({ name }) => name === telling.phase)?.title ?? "";
  const title = telling.title ?? [];
  const heading = phase || (typeof title[0] === "string" && title.length === 1 ? capital(title[0]) : "");
  const words = telling.text?.length ? telling.text : heading ? [] : [title];
  const held = telling.text?.length ? [] : holdings(record, telling);
  if (!heading && words.every((one) => one.length === 0)) return null;
  return { ...line, heading, words: [...words, ...held] };
}

function asked(telling: Telling): string {
  const { role, about, asking } = telling.asked!;
  const chosen = telling.effects?.find((effect) => effect.do === "choose");
  const about_ = [role, about, (asking ?? 1) > 1 ? `asking ${asking}` : ""].filter(Boolean).join(", ");
  if (chosen?.do !== "choose") return about_;
  const answer = chosen.value === null ? `no valid answer${chosen.fault ? ` (${chosen.fault})` : ""}` : `${chosen.value}${chosen.label ? ` (${chosen.label})` : ""}`;
  return `${about_}: ${answer}`;
}

/** What everybody holds where a telling says no more than that. */
function holdings(record: GameRecord, telling: Telling): Sentence[] {
  const name = record.scene?.card?.quantity;
  const quantity = name === undefined ? undefined : record.scene!.quantities?.[name];
  const set = telling.effects?.find((effect) => effect.do === "set" && name !== undefined && Array.isArray(effect.values[name]));
  if (set?.do !== "set" || record.seats.length > MOST_SEATS) return [];
  const values = set.values[name!] as (number | null)[];
  return [values.flatMap((value, seat) => [...(seat ? [", "] : []), { seat }, ` ${shownAs(quantity, value)}`])];
}

/** The place of the last line that belongs to a moment or comes before it; −1 before the first. */
export const placeIn = (lines: Line[], seen: number): number => countWhile(lines, ({ at }) => at <= seen) - 1;

/** After how many events the moment before this one was over. */
export function momentStart(record: GameRecord, seen: number): number {
  const { stops } = foldOf(record);
  return stops[placeOf(stops, seen) - 1] ?? 0;
}
