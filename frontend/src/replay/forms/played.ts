// The picture of a played game at a moment: folded from the events that have been seen, and from the rules where nothing
// has happened yet.
import { isNumber, isSeat, perSeat, type GameEvent, type GameRecord } from "../record";
import { arePairs, figures, HUNT, isPair, type Matrix, optionAt, type Pair, partyAt, pennies, type Picture, SIDES, staghunt, type Party } from "./picture";

interface Seen {
  record: GameRecord;
  rules: Record<string, unknown>;
  /** The last event of this name so far. */
  last: (name: string) => GameEvent | undefined;
  events: GameEvent[];
}

const two = ({ record }: Seen, first: string, second: string): Pair<Party> => [partyAt(record, 0, first), partyAt(record, 1, second)];
const everybody = ({ record }: Seen, role: string): Party[] => record.seats.map(({ seat }) => partyAt(record, seat, role));
const optional = (value: unknown): number | null => (isNumber(value) ? value : null);

function divided(seen: Seen, roles: Pair<string>, event: string, field: string, consent: boolean): Picture | null {
  const made = seen.last(event);
  const known = figures({ pot: made?.pot ?? seen.rules.pot, offer: made ? made[field] : 0 }, "pot", "offer");
  if (!known) return null;
  const answer = seen.last("responded")?.accepted;
  return { form: "split", parties: two(seen, ...roles), pot: known.pot, offer: made ? known.offer : null, consent, accepted: typeof answer === "boolean" ? answer : null };
}

function trust(seen: Seen): Picture | null {
  const rules = figures(seen.rules, "endowment", "multiplier");
  const sent = seen.last("sent");
  const returned = seen.last("returned");
  if (!rules || (sent && !figures(sent, "amount", "received")) || (returned && !figures(returned, "amount"))) return null;
  return { form: "flow", parties: two(seen, "sender", "returner"), ...rules, sent: optional(sent?.amount), received: optional(sent?.received), returned: optional(returned?.amount) };
}

function matrix(seen: Seen, roles: Pair<string>, options: Pair<string>, payoffs: Matrix["payoffs"] | null, chosen: unknown): Picture | null {
  const [row, column] = Array.isArray(chosen) ? chosen.map((one) => optionAt(options, one)) : [null, null];
  if (!payoffs || (chosen !== undefined && (row == null || column == null))) return null;
  return { form: "matrix", parties: two(seen, ...roles), options, payoffs, row: row ?? null, column: column ?? null };
}

function centipede(seen: Seen): Picture | null {
  const { payoffs, end, scale } = seen.rules;
  const moved = seen.events.filter(({ event }) => event === "moved");
  const moves = moved.flatMap(({ move }) => (move === "take" || move === "pass" ? [move as "take" | "pass"] : []));
  if (!arePairs(payoffs) || !isPair(end) || !isNumber(scale) || moves.length !== moved.length || moves.length > payoffs.length) return null;
  const paid = ([first, second]: Pair<number>): Pair<number> => [first * scale, second * scale];
  // What a node pays is written down for its mover; a picture has the first seat first.
  const nodes = payoffs.map((pair, place) => paid(place % 2 === 0 ? pair : [pair[1], pair[0]]));
  return { form: "tree", parties: two(seen, "moves first", "moves second"), nodes, end: paid(end), moves, asked: null };
}

function traveller(seen: Seen): Picture | null {
  const rules = figures(seen.rules, "low", "high", "bonus", "scale");
  const claims = seen.last("claimed")?.claims;
  if (!rules || (claims !== undefined && !isPair(claims))) return null;
  const { low, high, bonus, scale } = rules;
  return { form: "claims", parties: two(seen, "claimant", "claimant"), low: low * scale, high: high * scale, bonus: bonus * scale, claims: claims ?? [null, null] };
}

function publicGoods(seen: Seen): Picture | null {
  const rules = figures(seen.rules, "endowment", "multiplier");
  const made = seen.last("contributed");
  const outcome = made ? figures(made, "fund", "share") : null;
  const players = seen.record.seats.length;
  const contributions = made?.contributions ?? null;
  if (!rules || (made && !outcome) || (contributions !== null && !perSeat(contributions, players, isNumber))) return null;
  return { form: "fund", parties: everybody(seen, "contributor"), players, ...rules, contributions, outcome };
}

function beautyContest(seen: Seen): Picture | null {
  const rules = figures(seen.rules, "low", "high", "p", "prize");
  const made = seen.last("guessed");
  const outcome = made ? figures(made, "mean", "target") : null;
  const seats = seen.record.seats.length;
  const guesses = made?.guesses ?? null;
  if (!rules || (made && !outcome) || (guesses !== null && !perSeat(guesses, seats, isNumber))) return null;
  const closest = Array.isArray(made?.closest) ? made.closest.filter((seat): seat is number => isSeat(seat, seats)) : [];
  const { p: part, ...range } = rules;
  return { form: "guesses", parties: everybody(seen, "guesser"), ...range, part, guesses, outcome: outcome && { ...outcome, closest } };
}

function stagHunt(seen: Seen): Picture | null {
  const worth = figures(seen.rules, "stag", "hare");
  return matrix(seen, ["hunter", "hunter"], HUNT, worth && staghunt(worth.stag, worth.hare), seen.last("hunted")?.choices);
}

function matchingPennies(seen: Seen): Picture | null {
  const { prize } = seen.rules;
  return matrix(seen, ["matcher", "mismatcher"], SIDES, isNumber(prize) ? pennies(prize) : null, seen.last("shown")?.sides);
}

const GAMES: Record<string, { seats: number; title: string; draw: (seen: Seen) => Picture | null }> = {
  dictator: { seats: 2, title: "Dictator", draw: (seen) => divided(seen, ["giver", "receiver"], "given", "amount", false) },
  ultimatum: { seats: 2, title: "Ultimatum", draw: (seen) => divided(seen, ["proposer", "responder"], "offered", "offer", true) },
  trust: { seats: 2, title: "Trust", draw: trust },
  stag_hunt: { seats: 2, title: "Stag hunt", draw: stagHunt },
  matching_pennies: { seats: 2, title: "Matching pennies", draw: matchingPennies },
  centipede: { seats: 2, title: "Centipede", draw: centipede },
  traveller: { seats: 2, title: "Traveller", draw: traveller },
  public_goods: { seats: 1, title: "Public goods", draw: publicGoods },
  beauty_contest: { seats: 1, title: "Beauty contest", draw: beautyContest },
};

/** What a played game of the battery is called; null for any other game. */
export function playedTitle(game: string): string | null {
  return Object.hasOwn(GAMES, game) ? GAMES[game]!.title : null;
}

/** The picture of a game after so many events; null where there is none, or where the record does not have what it takes. */
export function playedPicture(record: GameRecord, count: number): Picture | null {
  const game = Object.hasOwn(GAMES, record.game) ? GAMES[record.game]! : null;
  if (!game || record.seats.length < game.seats) return null;
  const events = record.events.slice(0, count);
  return game.draw({ record, rules: record.rules, events, last: (name) => events.findLast(({ event }) => event === name) });
}
