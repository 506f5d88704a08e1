// A record is folded once into the data of every moment: the history of each quantity, the stops of the replay, and
// marks. When the record grows, only its new events are folded. The data of a moment is looked up, not computed from
// the beginning. Values are those of the record itself and are not copied.
import { capital } from "../lib/format";
import { countWhile, placeOf } from "./moments";
import type { GameEvent, GameRecord } from "./record";
import type { Form, Sentence, Telling, Tone, Value } from "./scene";
import { sentenceOf } from "./words";

/** The history of one quantity: its values in order. */
export interface History {
  /** The number of events at which each value was set. */
  seen: number[];
  values: Value[];
  /** For each turn, the position of the last value up to the end of the turn. Turn 0 is the opening. */
  turns: number[];
  /** For each value, the lowest and the highest number so far. */
  lowest: number[];
  highest: number[];
}

export interface Mark {
  /** The number of events up to the mark. A mark is always at a stop. */
  at: number;
  text: string;
  tone: Tone;
  /** The game's name for a key moment. */
  kind?: string;
}

/** A notable event, in addition to the turns themselves. */
export interface News {
  place: number;
  turn: number;
  title: Sentence;
  text: Sentence[];
  tone: Tone;
}

export interface Folded {
  /** The number of events that have been folded. */
  read: number;
  seats: number;
  /** The stops of the replay: the possible values of `seen`. */
  stops: number[];
  /** For each turn, the number of events at its end. Turn 0 is the opening. */
  turns: number[];
  /** For each turn, its first stop. */
  begins: number[];
  histories: Map<string, History>;
  forms: { seen: number; form: Form }[];
  /** For each seat, the number of events after which it is out, or null. */
  left: (number | null)[];
  marks: Mark[];
  news: News[];
  ended: boolean;
}

const folds = new WeakMap<GameEvent[], Folded>();

/** Return the fold of a record up to its last event. */
export function foldOf(record: GameRecord): Folded {
  let fold = folds.get(record.events);
  if (!fold) {
    fold = {
      read: 0, seats: record.seats.length, stops: [0], turns: [0], begins: [0], histories: new Map(), forms: [],
      left: record.seats.map(() => null), marks: [], news: [], ended: false,
    };
    take(fold, record, record.opening, 0);
    folds.set(record.events, fold);
  }
  while (fold.read < Math.min(record.events.length, record.told.length)) {
    fold.read += 1;
    follow(fold, record, record.told[fold.read - 1]!);
  }
  return fold;
}

function follow(fold: Folded, record: GameRecord, telling: Telling): void {
  const seen = fold.read;
  // An event that is joined belongs to the moment of the event before it, so the stop is moved.
  if (telling.joined && fold.stops.length > 1) fold.stops[fold.stops.length - 1] = seen;
  else fold.stops.push(seen);
  const turn = Math.max(telling.turn ?? 0, fold.turns.length - 1);
  while (fold.turns.length <= turn) {
    for (const history of fold.histories.values()) history.turns.push(history.values.length - 1);
    fold.turns.push(seen);
    fold.begins.push(seen);
  }
  fold.turns[turn] = seen;
  take(fold, record, telling, turn);
  if (telling.phase === "end") fold.ended = true;
}

function take(fold: Folded, record: GameRecord, telling: Telling, turn: number): void {
  const { read: seen } = fold;
  if (telling.form) fold.forms.push({ seen, form: telling.form });
  let tone: Tone = "plain";
  for (const effect of telling.effects ?? []) {
    if (effect.do === "set") for (const [name, value] of Object.entries(effect.values)) set(fold, name, value, effect.seat, turn);
    else if (effect.do === "leave") fold.left[effect.seat] ??= seen;
    else if (effect.do === "enter") fold.left[effect.seat] = null;
    else if (effect.do === "mark") {
      tone = effect.tone ?? "plain";
      fold.marks.push({ at: seen, text: markText(record, telling, effect.text), tone, kind: effect.kind });
    }
  }
  if (telling.title?.length) fold.news.push({ place: seen, turn, title: telling.title, text: telling.text ?? [], tone });
}

function set(fold: Folded, name: string, value: Value, seat: number | undefined, turn: number): void {
  let history = fold.histories.get(name);
  if (!history) fold.histories.set(name, (history = { seen: [], values: [], turns: new Array<number>(turn).fill(-1), lowest: [], highest: [] }));
  if (seat !== undefined) {
    const before = history.values.at(-1);
    const all = Array.isArray(before) ? before.slice() : new Array<number | null>(fold.seats).fill(null);
    all[seat] = value as number | null;
    value = all;
  }
  history.seen.push(fold.read);
  history.values.push(value);
  history.turns[turn] = history.values.length - 1;
  let [low, high] = [history.lowest.at(-1) ?? Infinity, history.highest.at(-1) ?? -Infinity];
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one === null) continue;
    if (one < low) low = one;
    if (one > high) high = one;
  }
  history.lowest.push(low);
  history.highest.push(high);
}

/** Return the range of a quantity up to the end of a turn; null if it has no number yet. */
export function spanIn(fold: Folded, name: string, turn: number): [number, number] | null {
  const history = fold.histories.get(name);
  const place = history ? (history.turns[Math.min(turn, history.turns.length - 1)] ?? -1) : -1;
  return history && place >= 0 && history.lowest[place]! <= history.highest[place]! ? [history.lowest[place]!, history.highest[place]!] : null;
}

function markText(record: GameRecord, telling: Telling, text: Sentence | undefined): string {
  const where = momentTurn(record, telling);
  const words = text?.length ? sentenceOf(record, text) : [telling.title ?? [], telling.text?.[0] ?? []].filter((one) => one.length).map((one) => sentenceOf(record, one)).join(". ");
  return words ? `${where ? `${where}: ` : ""}${words}` : `${where} is over`;
}

/** Return the value of a quantity after `seen` events. */
export function valueAt(fold: Folded, name: string | undefined, seen: number): Value {
  const history = name === undefined ? undefined : fold.histories.get(name);
  return history?.values[countWhile(history.seen, (at) => at <= seen) - 1] ?? null;
}

/** Return the values of a quantity of the seats after `seen` events. */
export function seatsAt(fold: Folded, name: string | undefined, seen: number): (number | null)[] {
  const value = valueAt(fold, name, seen);
  return Array.isArray(value) ? value : new Array<number | null>(fold.seats).fill(null);
}

/** Return the value of a quantity of the table after `seen` events. */
export function numberAt(fold: Folded, name: string | undefined, seen: number): number | null {
  const value = valueAt(fold, name, seen);
  return typeof value === "number" ? value : null;
}

/** Return the value of a quantity at the end of a turn. */
export function valueIn(fold: Folded, name: string, turn: number): Value {
  const history = fold.histories.get(name);
  if (!history) return null;
  const place = history.turns[Math.min(turn, history.turns.length - 1)] ?? -1;
  return place < 0 ? null : history.values[place]!;
}

/** Return a quantity of the table at the end of a turn, or null. */
export function numberIn(fold: Folded, name: string, turn: number): number | null {
  const value = valueIn(fold, name, turn);
  return typeof value === "number" ? value : null;
}

/** Return a seat's value of a quantity at the end of a turn. */
export function seatIn(fold: Folded, name: string, turn: number, seat: number): number | null {
  const value = valueIn(fold, name, turn);
  return Array.isArray(value) ? (value[seat] ?? null) : null;
}

/** Return the turn after `seen` events. */
export const turnOf = (fold: Folded, seen: number): number => seen <= 0 ? 0 : placeOf(fold.turns, seen);

/** Return the telling of the last of `seen` events. Before the first event, it is the opening. */
export const tellingAt = (record: GameRecord, seen: number): Telling => seen > 0 ? (record.told[seen - 1] ?? {}) : record.opening;

/** Return the tellings of the moment at a stop. */
export function momentAt(record: GameRecord, fold: Folded, seen: number): Telling[] {
  if (seen <= 0) return [record.opening];
  const place = placeOf(fold.stops, seen);
  return record.told.slice(fold.stops[place - 1] ?? 0, fold.stops[place]);
}

/** Return the current form of the question. */
export function formAt(fold: Folded, seen: number): Form | null {
  return fold.forms[countWhile(fold.forms, (one) => one.seen <= seen) - 1]?.form ?? null;
}

/** True if a seat is out after `seen` events. */
export function isOut(fold: Folded, seat: number, seen: number): boolean {
  const left = fold.left[seat];
  return left !== null && left !== undefined && left <= seen;
}

/** Return the stops at the ends of turns. If each moment is a turn, return every tenth stop. */
export function turnStops(fold: Folded): number[] {
  const ends = fold.turns.length > 1 ? fold.turns : fold.stops;
  if (ends.length < fold.stops.length) return fold.turns.slice(1);
  return fold.stops.filter((_, turn) => turn % 10 === 0 || turn === fold.stops.length - 1);
}

/** Return the turn in words: `Round 3`; empty if the game has no turns. */
export function momentTurn(record: GameRecord, telling: Telling): string {
  const clock = record.scene?.clock;
  return clock && telling.turn ? `${capital(clock)} ${telling.turn.toLocaleString("en")}` : "";
}

/** Return the name of a moment: `Turn 12`, `Round 3, P2 speaks`. */
export function momentName(record: GameRecord, seen: number): string {
  const scene = record.scene!;
  if (seen <= 0) return `Before the first ${scene.clock || "move"}`;
  const moment = momentAt(record, foldOf(record), seen);
  const telling = moment.findLast((one) => one.title?.length) ?? moment.at(-1) ?? {};
  const turn = momentTurn(record, telling);
  const words = momentWords(record, telling);
  return turn && words ? `${turn}, ${words}` : turn || capital(words) || `Event ${seen.toLocaleString("en")}`;
}

function momentWords(record: GameRecord, telling: Telling): string {
  // On a dashboard, moments are shown too briefly for their titles to be read. The transcript has the titles.
  if (record.scene!.layout === "dashboard") return telling.phase === "end" ? "the last" : "";
  if (telling.title?.length) return sentenceOf(record, telling.title);
  const speech = telling.effects?.find((effect) => effect.do === "say");
  if (speech?.do === "say") return `${record.seats[speech.seat]!.label} ${speech.text ? "speaks" : "says nothing"}`;
  return !telling.asked && telling.text?.[0] ? sentenceOf(record, telling.text[0]) : "";
}

/** Return the moment at which a finished game is first shown: its beginning or, if there is more to read than to watch,
 * its end. */
export const openingMoment = (record: GameRecord): number => record.scene?.opens === "end" ? record.events.length : 0;

/** Return the rank of each seat, 1 for the best. Values that are equal up to rounding error share a rank. Seats without a
 * value come last. */
export function ranks(values: (number | null)[], better: "higher" | "lower" = "higher"): number[] {
  const worth = values.map((value) => (value === null ? -Infinity : (better === "lower" ? -1 : 1) * Math.round(value * 1e9)));
  return worth.map((one) => 1 + worth.filter((other) => other > one).length);
}

/** Return the seats from the best to the worst. Of equal seats, the one with the lower number comes first. */
export function standing(values: (number | null)[], better: "higher" | "lower" = "higher"): number[] {
  const rank = ranks(values, better);
  return values.map((_, seat) => seat).sort((one, two) => rank[one]! - rank[two]! || one - two);
}

/** Return the winning seats if the game is over. */
export function winnersAt(record: GameRecord, fold: Folded, seen: number): number[] {
  const { final, better } = record.scene!;
  if (!final || tellingAt(record, seen).phase !== "end") return [];
  const rank = ranks(seatsAt(fold, final, seen), better);
  return rank.flatMap((one, seat) => (one === 1 ? [seat] : []));
}
