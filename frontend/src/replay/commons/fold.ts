// The events of a Commons game as arrays over turns, folded once and extended as a live game goes on. The numbers are
// those of the events themselves.
import { placeOf } from "../moments";
import { BrokenRecord, isCount, isNumber, isSeat, perSeat, type GameEvent, type GameRecord } from "../record";

export interface TurnPlayed extends GameEvent {
  turn: number;
  present: boolean[];
  contributions: number[];
  lobby: number[];
  alpha: number;
  synergy: number;
  pot: number;
  shares: number[];
  erosion: number;
  gains: number[];
  capitals: number[];
  cooperation: number;
  next_synergy: number;
}

/** Something besides the turns themselves that a reader wants to be told. */
export interface News {
  /** The event's place in the record. */
  place: number;
  turn: number;
  event: GameEvent;
}

export interface Fold {
  /** How many events are folded in. */
  read: number;
  seats: number;
  turns: TurnPlayed[];
  /** How many events have been seen when so many turns have been played; begins with 0. */
  stops: number[];
  news: News[];
  /** For each seat the turn after which it is out, or `null`. */
  excluded: (number | null)[];
  highest: number;
  lowest: number;
  ended: boolean;
}

const folds = new WeakMap<GameEvent[], Fold>();

/** The fold of a record; throws `BrokenRecord` at the first event that is not one of the Commons. */
export function foldOf(record: GameRecord): Fold {
  const { events, seats } = record;
  let fold = folds.get(events);
  if (!fold) {
    const excluded = seats.map(() => null);
    fold = { read: 0, seats: seats.length, turns: [], stops: [0], news: [], excluded, highest: 0, lowest: 0, ended: false };
    folds.set(events, fold);
  }
  while (fold.read < events.length) {
    read(fold, events[fold.read]!, fold.read);
    fold.read += 1;
    // What follows a turn belongs to it: the stop of the last turn moves on to the end.
    fold.stops[fold.turns.length] = fold.read;
  }
  return fold;
}

function read(fold: Fold, event: GameEvent, place: number): void {
  const { seats, turns } = fold;
  const refuse = (wrong: string): never => {
    throw new BrokenRecord(`Event ${place + 1} of the record, ${event.event.slice(0, 40)}: ${wrong}.`);
  };
  if (event.event === "turn_played") {
    if (event.turn !== turns.length + 1) refuse(`"turn" should be ${turns.length + 1}`);
    for (const field of ["contributions", "lobby", "shares", "gains", "capitals"])
      if (!perSeat(event[field], seats, isNumber)) refuse(`"${field}" should be a list of ${seats} numbers`);
    if (!perSeat(event.present, seats, (entry) => typeof entry === "boolean")) refuse(`"present" should be a list of ${seats} truth values`);
    for (const field of ["alpha", "synergy", "pot", "erosion", "cooperation", "next_synergy"])
      if (!isNumber(event[field])) refuse(`"${field}" should be a number`);
    const played = event as TurnPlayed;
    turns.push(played);
    for (const capital of played.capitals) {
      if (capital > fold.highest) fold.highest = capital;
      if (capital < fold.lowest) fold.lowest = capital;
    }
    return;
  }
  if (turns.length === 0) refuse("it comes before the first turn_played");
  const last = turns.at(-1)!;
  if (event.turn !== last.turn) refuse(`"turn" should be ${last.turn}`);
  if (event.event === "golden_age" || event.event === "erosion") {
    if (!isNumber(event.cooperation) || !isNumber(event.synergy)) refuse('"cooperation" and "synergy" should be numbers');
  } else if (event.event === "vote_held") {
    if (!perSeat(event.votes, seats, (vote): vote is number | null => vote === null || isSeat(vote, seats)))
      refuse(`"votes" should be a list of ${seats} seats or nulls`);
  } else if (event.event === "seat_excluded") {
    if (!isSeat(event.seat, seats) || !isCount(event.votes)) refuse('"seat" should be a seat of the table and "votes" a count');
    fold.excluded[event.seat as number] ??= last.turn;
  } else if (event.event === "game_ended") {
    if (!Array.isArray(event.winners) || !event.winners.length || !event.winners.every((seat) => isSeat(seat, seats)))
      refuse('"winners" should be a list of seats');
    fold.ended = true;
  } else refuse("the Commons has no such event");
  fold.news.push({ place, turn: last.turn, event });
}

/** How many turns have been played when so many events have been seen. */
export function turnOf(fold: Fold, seen: number): number {
  return placeOf(fold.stops, seen);
}

/** What each seat holds after so many turns; nothing before the first. */
export function capitalsAfter(fold: Fold, turn: number): number[] {
  return fold.turns[turn - 1]?.capitals ?? new Array<number>(fold.seats).fill(0);
}

/** For each seat its rank by capital, from 0. Of equals the one with the lower seat stands first, and dust of floating
 *  point makes nobody unequal. */
export function ranks(capitals: number[]): number[] {
  const settled = capitals.map((capital) => Math.round(capital * 1e9) / 1e9);
  const order = settled.map((_, seat) => seat).sort((a, b) => settled[b]! - settled[a]! || a - b);
  const found = new Array<number>(capitals.length);
  order.forEach((seat, rank) => (found[seat] = rank));
  return found;
}
