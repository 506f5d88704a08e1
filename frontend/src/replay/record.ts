// The record of one game (docs/record.md). Errors in reading a record are messages of one line.
import { checkTelling, checkScene } from "./check";
import type { Scene, Telling } from "./scene";

export interface Seat {
  /** The number of the seat from 0, which is its index in every list over seats. */
  seat: number;
  /** The label by which other players see the seat: `P1`, `P2`, … */
  label: string;
  /** The player's display name; if there is none, its id. */
  player: string;
  /** The player's id. */
  id?: string;
  /** The player's colour, if the record has it. */
  colour?: string;
}

export interface Answer {
  turn: number;
  phase: string;
  seat: number;
  value: unknown;
  provenance: string;
  cut?: boolean;
  fault?: string | null;
}

export interface GameEvent {
  event: string;
  [field: string]: unknown;
}

/** A bookmark of a moment, possibly with a reader's text. */
export interface Note {
  /** The number of the note in a journal; missing in a file. */
  serial?: number;
  /** The number of events at the moment of the note. */
  moment: number;
  at: string;
  /** The text of the note; empty for a bookmark. */
  text: string;
}

export interface GameRecord {
  format: "ostrom-game";
  version: 2;
  ostrom: string;
  /** The package of the game. */
  package: string;
  game: string;
  title: string;
  /** The seed as text, because a browser's numbers cannot represent every seed. */
  seed: string | null;
  number: number;
  source: string | null;
  rules: Record<string, unknown>;
  seats: Seat[];
  answers: Answer[];
  /** The events. This list grows in place while the game is played; see `extendRecord`. */
  events: GameEvent[];
  /** The scene. It is missing if the game was not installed when the record was written. */
  scene: Scene | null;
  /** The telling of the state before the first event. */
  opening: Telling;
  /** The tellings, one for each event. */
  told: Telling[];
  /** For each seat, the tellings of events with secrets in the form in which the seat saw them, by the position of the
   * event. The list is empty if there are none. */
  seen: Record<string, Telling>[];
  notes: Note[];
}

/** Thrown if a record is invalid. The message is one line for the user. */
export class BrokenRecord extends Error {}

const COLOUR = /^#[0-9a-f]{6}$/;
const VERSION = 2;
const FORMAT = /"format"\s*:\s*"ostrom-game"/g;
const SEED = /"seed"\s*:\s*(\d{16,20})(?!\d)/g;
const SEVERAL = "This file has the records of several games; the viewer reads one game per file, as `ostrom export GAME -o game.json` writes it.";

/** Read a record from the text of a file. Throw `BrokenRecord` if it is invalid. */
export function readRecord(text: string): GameRecord {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    if ((text.match(FORMAT)?.length ?? 0) > 1) throw new BrokenRecord(SEVERAL);
    throw new BrokenRecord("This is not a game's record: the text is not JSON, or it was cut off.");
  }
  const record = checkRecord(data);
  return { ...record, seed: exactSeed((data as Record<string, unknown>).seed, text) ?? record.seed };
}

/** Return the digits of a seed that is too large for a browser's numbers; otherwise, return undefined. */
function exactSeed(seed: unknown, text: string): string | undefined {
  if (!Number.isInteger(seed) || Number.isSafeInteger(seed)) return undefined;
  return [...text.matchAll(SEED)].find(([, digits]) => Number(digits) === seed)?.[1];
}

/** Check a record that was parsed from JSON. Throw `BrokenRecord` if it is invalid. */
export function checkRecord(data: unknown): GameRecord {
  if (Array.isArray(data) && data.some((one) => isObject(one) && one.format === "ostrom-game")) throw new BrokenRecord(SEVERAL);
  if (!isObject(data) || data.format !== "ostrom-game")
    throw new BrokenRecord('This is not a game\'s record: its "format" should be "ostrom-game".');
  if (data.version !== VERSION)
    throw new BrokenRecord(`This record has version ${brief(data.version)} of the format; this page reads version ${VERSION}.`);
  if (typeof data.game !== "string") throw new BrokenRecord('The record does not say which game it is: "game" should be a name.');
  const seats = listOf(data.seats, "seats", isObject);
  seats.forEach((seat, index) => {
    if (seat.seat !== index || typeof seat.label !== "string" || typeof seat.player !== "string")
      throw new BrokenRecord(`Seat ${index} of the record should be {"seat": ${index}, "label": …, "player": …}.`);
  });
  if (seats.length === 0) throw new BrokenRecord("The record has no seats.");
  const events = listOf(data.events, "events", isObject);
  events.forEach((event, index) => {
    if (typeof event.event !== "string") throw new BrokenRecord(`Event ${index + 1} of the record has no name under "event".`);
  });
  const answers = listOf(data.answers ?? [], "answers", isObject);
  answers.forEach((answer, index) => {
    const { turn, phase, seat } = answer;
    if (!isCount(turn) || typeof phase !== "string" || !isSeat(seat, seats.length))
      throw new BrokenRecord(`Answer ${index + 1} of the record should have a "turn", a "phase" and a "seat" of the table.`);
  });
  const notes = listOf(data.notes ?? [], "notes", isObject);
  notes.forEach((note, index) => {
    if (!isCount(note.moment) || typeof note.at !== "string" || typeof note.text !== "string")
      throw new BrokenRecord(`Note ${index + 1} of the record should have a "moment", "at" and a "text".`);
  });
  const scene = isObject(data.scene) ? checkScene(data.scene) : null;
  const told = listOf(data.told ?? [], "told", isObject);
  if (scene && told.length !== events.length) throw new BrokenRecord(`The record has tellings for ${told.length} of its ${events.length} events.`);
  const opening = isObject(data.opening) ? data.opening : {};
  if (scene) [opening, ...told].forEach((telling, place) => checkTelling(telling, scene, seats.length, place));
  const seen = listOf(data.seen ?? [], "seen", isObject);
  if (seen.length > 0 && seen.length !== seats.length) throw new BrokenRecord('The record\'s "seen" should have an entry for each seat.');
  for (const [place, telling] of seen.flatMap((own) => Object.entries(own))) {
    if (!isObject(telling)) throw new BrokenRecord('The record\'s "seen" should have tellings.');
    if (scene) checkTelling(telling, scene, seats.length, Number(place) + 1);
  }
  return {
    format: "ostrom-game",
    version: VERSION,
    ostrom: typeof data.ostrom === "string" ? data.ostrom : "",
    package: typeof data.package === "string" ? data.package : "",
    game: data.game,
    title: typeof data.title === "string" ? data.title : data.game,
    seed: typeof data.seed === "number" ? String(data.seed) : null,
    number: typeof data.number === "number" ? data.number : 0,
    source: typeof data.source === "string" ? data.source : null,
    rules: isObject(data.rules) ? data.rules : {},
    seats: (seats as unknown as (Seat & { name?: unknown })[]).map(({ seat, label, player, name, colour }) => ({
      ...{ seat, label, id: player, player: typeof name === "string" && name ? name : player },
      ...(typeof colour === "string" && COLOUR.test(colour) ? { colour } : {}),
    })),
    answers: answers as unknown as Answer[],
    events: events as unknown as GameEvent[],
    scene,
    opening,
    told: told as Telling[],
    seen: seen as Record<string, Telling>[],
    notes: notes as unknown as Note[],
  };
}

/** Return the record with additional events and tellings. The lists grow in place, so that their fold is extended and not
 * computed again. The record is a new object, so that pages react. */
export function extendRecord(record: GameRecord, more: GameEvent[], told: Telling[]): GameRecord {
  for (const event of more) record.events.push(event);
  for (const telling of told) record.told.push(telling);
  return { ...record };
}

/** Return the record of the game as a seat saw it, without the secrets of others. Its lists are new, so that it has a
 * fold of its own. */
export function asSeenBy(record: GameRecord, seat: number): GameRecord {
  const own = record.seen[seat] ?? {};
  return { ...record, events: [...record.events], told: record.told.map((telling, place) => own[place] ?? telling) };
}

/** Return the display name of a seat: its label and, if known, its player. */
export function seatName(record: GameRecord, seat: number): string {
  const { label, player } = record.seats[seat] ?? { label: `P${seat + 1}`, player: "" };
  return player && player !== label ? `${label} ${player}` : label;
}

/** Return the colour of a seat as a CSS value. */
export const seatColour = (seat: number): string => `var(--seat-${seat % 16})`;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

export function isSeat(value: unknown, seats: number): value is number {
  return isCount(value) && value < seats;
}

function listOf<T>(value: unknown, name: string, kind: (entry: unknown) => entry is T): T[] {
  if (!Array.isArray(value) || !value.every(kind)) throw new BrokenRecord(`The record's "${name}" should be a list of objects.`);
  return value;
}

const brief = (value: unknown): string => (JSON.stringify(value) ?? "none").slice(0, 20);

/** Functions that change notes. Only a page with a server has them. */
export interface NoteKeeper {
  add: (moment: number, text: string) => Promise<void>;
  edit: (serial: number, text: string) => Promise<void>;
  remove: (serial: number) => Promise<void>;
}
/** The largest length of a note that the server accepts. */
export const MAX_NOTE_CHARACTERS = 4000;
