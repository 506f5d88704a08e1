// A game of Contribute & Punish, folded once from its events into moments and rounds; the stage then draws any moment
// without going through the events again. A record that grows while it is being played is folded on from where it was.
import { isNumber, type GameEvent, type GameRecord } from "../record";

export interface Message {
  seat: number;
  text: string;
  /** How many events have been seen when this one is the newest. */
  seen: number;
}

export interface Punishment {
  punisher: number;
  target: number;
  spend: number;
  damage: number;
  seen: number;
}

export interface Given {
  contributions: number[];
  seen: number;
}

export interface Shared {
  carryIn: number;
  pot: number;
  grown: number;
  /** What every seat gets. */
  share: number;
  carryOut: number;
  seen: number;
}

export interface Round {
  round: number;
  /** Its first moment. */
  first: number;
  /** What each seat held when it began. */
  start: number[];
  messages: Message[];
  given: Given | null;
  shared: Shared | null;
  punishments: Punishment[];
}

export type Kind = "start" | "message" | "contributions" | "share" | "punishment" | "round end" | "end" | "other";

/** Where the game stands after so many events. */
export interface Moment {
  kind: Kind;
  /** Its round, as an index; -1 before the first. */
  at: number;
  balances: number[];
  /** What the event changed on each balance. */
  changes: number[];
  /** What lies in the fund. */
  fund: number;
}

/** What each seat gave, spent on punishment and lost to it so far. */
export interface Totals {
  given: number[];
  spent: number[];
  lost: number[];
}

export interface Folded {
  seats: number;
  /** One for each number of events seen, from none on. */
  moments: Moment[];
  rounds: Round[];
  /** The moments with which rounds ended. */
  ends: number[];
  /** Balances before the first round and at the end of each. */
  lines: number[][];
  /** Totals before the first round and at the end of each. */
  totals: Totals[];
  /** The highest balance that there is: the scale of the lines stays the same over the whole replay. */
  highest: number;
  winners: number[];
}

const known = new WeakMap<GameEvent[], Folded>();

/** The game as far as it is recorded; `check` has found nothing wrong with it. */
export function fold(record: GameRecord): Folded {
  let game = known.get(record.events);
  if (!game) known.set(record.events, (game = opened(record)));
  for (let seen = game.moments.length; seen <= record.events.length; seen++) follow(game, record.events[seen - 1]!, seen);
  return game;
}

/** The moment after so many events, or the last one. */
export function momentAt(game: Folded, seen: number): Moment {
  return game.moments[Math.min(seen, game.moments.length - 1)]!;
}

/** Totals at a moment, the round under way included. */
export function totalsAt(game: Folded, seen: number): Totals {
  const { at } = momentAt(game, seen);
  const round = game.rounds[at];
  return round ? withRound(game.totals[at]!, round, seen) : game.totals[0]!;
}

function opened(record: GameRecord): Folded {
  const seats = record.seats.length;
  const nothing = new Array<number>(seats).fill(0);
  const start = nothing.map(() => (isNumber(record.rules.start) ? record.rules.start : 0));
  return {
    seats,
    moments: [{ kind: "start", at: -1, balances: start, changes: nothing, fund: 0 }],
    rounds: [],
    ends: [],
    lines: [start],
    totals: [{ given: nothing, spent: nothing, lost: nothing }],
    highest: Math.max(1, ...start.slice(0, 1)),
    winners: [],
  };
}

function follow(game: Folded, event: GameEvent, seen: number): void {
  const before = game.moments[seen - 1]!;
  const after: Moment = { ...before, kind: "other" };
  const round = roundOf(game, event, before, seen);
  after.at = game.rounds.length - 1;
  if (round) apply(game, round, event as never, after, seen);
  after.changes = after.balances.map((held, seat) => held - before.balances[seat]!);
  game.highest = after.balances.reduce((most, held) => Math.max(most, held), game.highest);
  game.moments.push(after);
}

function roundOf(game: Folded, event: GameEvent, before: Moment, seen: number): Round | undefined {
  const last = game.rounds.at(-1);
  if (!isNumber(event.round) || (last && last.round >= event.round)) return last;
  const next = { round: event.round, first: seen, start: before.balances, messages: [], given: null, shared: null, punishments: [] };
  game.rounds.push(next);
  return next;
}

type Happened =
  | { event: "message_said"; seat: number; text: string }
  | { event: "contributed"; start: number[]; contributions: number[] }
  | { event: "fund_shared"; carry_in: number; pot: number; grown: number; share: number; carry_out: number; balances: number[] }
  | { event: "punished"; punisher: number; target: number; spend: number; damage: number }
  | { event: "round_ended"; balances: number[]; carry: number }
  | { event: "game_ended"; balances: number[]; winners: number[] };

function apply(game: Folded, round: Round, event: Happened, after: Moment, seen: number): void {
  switch (event.event) {
    case "message_said":
      after.kind = "message";
      round.messages.push({ seat: event.seat, text: event.text, seen });
      break;
    case "contributed":
      after.kind = "contributions";
      round.given = { contributions: event.contributions, seen };
      after.balances = event.start.map((held, seat) => held - event.contributions[seat]!);
      after.fund = event.contributions.reduce((sum, one) => sum + one, after.fund);
      break;
    case "fund_shared": {
      const { carry_in: carryIn, pot, grown, share, carry_out: carryOut } = event;
      after.kind = "share";
      round.shared = { carryIn, pot, grown, share, carryOut, seen };
      after.balances = event.balances;
      after.fund = carryOut;
      break;
    }
    case "punished": {
      const { punisher, target, spend, damage } = event;
      after.kind = "punishment";
      round.punishments.push({ punisher, target, spend, damage, seen });
      after.balances = after.balances.slice();
      after.balances[punisher]! -= spend;
      after.balances[target]! -= damage;
      break;
    }
    case "round_ended":
      after.kind = "round end";
      after.balances = event.balances;
      after.fund = event.carry;
      game.ends.push(seen);
      game.lines.push(event.balances);
      game.totals.push(withRound(game.totals.at(-1)!, round, seen));
      break;
    case "game_ended":
      after.kind = "end";
      after.balances = event.balances;
      game.winners = event.winners;
      break;
  }
}

function withRound(before: Totals, round: Round, seen: number): Totals {
  const given = before.given.slice();
  const spent = before.spent.slice();
  const lost = before.lost.slice();
  if (round.given && round.given.seen <= seen) round.given.contributions.forEach((amount, seat) => (given[seat]! += amount));
  for (const done of round.punishments) {
    if (done.seen > seen) break;
    spent[done.punisher]! += done.spend;
    lost[done.target]! += done.damage;
  }
  return { given, spent, lost };
}

/** The rank of each seat, 1 for the richest; equal balances share one. */
export function ranks(balances: number[]): number[] {
  return balances.map((held) => 1 + balances.filter((other) => other > held).length);
}

/** Seats from the richest to the poorest. */
export function standing(balances: number[]): number[] {
  return balances.map((_, seat) => seat).sort((one, two) => balances[two]! - balances[one]! || one - two);
}
