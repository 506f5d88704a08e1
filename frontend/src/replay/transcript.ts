// The game as lines of text, which are messages and actions. If the record grows, its lines are extended.
import { capital } from "../lib/format";
import { foldOf, momentTurn } from "./fold";
import { countWhile, placeOf } from "./moments";
import type { GameEvent, GameRecord } from "./record";
import type { Sentence, Telling, Tone } from "./scene";
import { formatQuantity } from "./words";

export interface Line {
  /** The number of events at the line. */
  at: number;
  turn: number;
  /** The turn in words, if this is the first line of the turn. */
  opens: string;
  said: { seat: number; text: string } | null;
  heading: string;
  words: Sentence[];
  tone: Tone;
}

/** The largest number of seats whose amounts are listed. For larger tables, the amounts are omitted. */
const MAX_LISTED_SEATS = 16;

const transcripts = new WeakMap<GameEvent[], { read: number; lines: Line[] }>();

/** Return the lines of a record so far. */
export function linesOf(record: GameRecord): Line[] {
  let transcript = transcripts.get(record.events);
  if (!transcript) transcripts.set(record.events, (transcript = { read: 0, lines: [] }));
  const end = Math.min(record.events.length, record.told.length);
  for (; transcript.read < end; transcript.read++) {
    const telling = record.told[transcript.read]!;
    const line = lineOf(record, telling, transcript.read + 1);
    if (!line) continue;
    const before = transcript.lines.at(-1);
    const many = record.scene?.layout === "table";
    // If most turns have a single line, the line itself names the turn.
    if (line.turn > 0 && line.turn !== before?.turn && many) line.opens = momentTurn(record, telling);
    else if (!many && !telling.asked && !line.said) line.heading = [momentTurn(record, telling), line.heading.toLowerCase()].filter(Boolean).join(", ") || line.heading;
    transcript.lines.push(line);
  }
  return transcript.lines;
}

function lineOf(record: GameRecord, telling: Telling, at: number): Line | null {
  const line: Line = { at, turn: Math.max(telling.turn ?? 0, 0), opens: "", said: null, heading: "", words: [], tone: "plain" };
  for (const effect of telling.effects ?? []) {
    if (effect.do === "say") line.said = { seat: effect.seat, text: effect.text };
    else if (effect.do === "mark") line.tone = effect.tone ?? "plain";
  }
  if (line.said) return line;
  if (telling.asked) return { ...line, heading: `${capital(record.scene!.clock || "item")} ${telling.turn ?? at}`, words: [[itemText(telling)]] };
  const phase = record.scene?.phases?.find(({ name }) => name === telling.phase)?.title ?? "";
  const title = telling.title ?? [];
  const heading = phase || (typeof title[0] === "string" && title.length === 1 ? capital(title[0]) : "");
  const words = telling.text?.length ? telling.text : heading ? [] : [title];
  const amounts = telling.text?.length ? [] : holdings(record, telling);
  if (!heading && words.every((one) => one.length === 0)) return null;
  return { ...line, heading, words: [...words, ...amounts] };
}

function itemText(telling: Telling): string {
  const { role, about, asking } = telling.asked!;
  const chosen = telling.effects?.find((effect) => effect.do === "choose");
  const about_ = [role, about, (asking ?? 1) > 1 ? `asking ${asking}` : ""].filter(Boolean).join(", ");
  if (chosen?.do !== "choose") return about_;
  const answer = chosen.value === null ? `no valid answer${chosen.fault ? ` (${chosen.fault})` : ""}` : `${chosen.value}${chosen.label ? ` (${chosen.label})` : ""}`;
  return `${about_}: ${answer}`;
}

/** Return the amounts of all seats, if a telling has no other content. */
function holdings(record: GameRecord, telling: Telling): Sentence[] {
  const name = record.scene?.card?.quantity;
  const quantity = name === undefined ? undefined : record.scene!.quantities?.[name];
  const set = telling.effects?.find((effect) => effect.do === "set" && name !== undefined && Array.isArray(effect.values[name]));
  if (set?.do !== "set" || record.seats.length > MAX_LISTED_SEATS) return [];
  const values = set.values[name!] as (number | null)[];
  return [values.flatMap((value, seat) => [...(seat ? [", "] : []), { seat }, ` ${formatQuantity(quantity, value)}`])];
}

/** Return the position of the last line at or before a moment; −1 before the first line. */
export const placeIn = (lines: Line[], seen: number): number => countWhile(lines, ({ at }) => at <= seen) - 1;

/** Return the number of events at the end of the previous moment. */
export function momentStart(record: GameRecord, seen: number): number {
  const { stops } = foldOf(record);
  return stops[placeOf(stops, seen) - 1] ?? 0;
}
