// The players of a game that is to be started.
import type { GameKind } from "../../api/types";

export const HUMAN = "human";
/** The largest number of seats on a page. The command line allows more. */
const MAX_SEATS = 24;
/** The default number of seats of a game that declares none, if the game has enough different players. */
const DEFAULT_SEATS = 8;

export const mostSeats = (game: Pick<GameKind, "most_seats">): number => Math.min(game.most_seats, MAX_SEATS);

/** Return different players for the usual number of seats. */
export function usualTable(game: GameKind): string[] {
  const wanted = game.usual_seats ?? Math.min(DEFAULT_SEATS, game.players.length);
  const size = Math.min(Math.max(wanted, game.fewest_seats), mostSeats(game));
  return Array.from({ length: size }, (_, seat) => another(game, seat));
}

/** Return a player for one more seat. */
export function another(game: Pick<GameKind, "players">, seat: number): string {
  return game.players.length ? game.players[seat % game.players.length]! : HUMAN;
}

/** Return the table with a person in the first seat, or with built-in players only. */
export function withPerson(game: GameKind, table: readonly string[], person: boolean): string[] {
  if (!person) return table.map((player, seat) => (player === HUMAN ? another(game, seat) : player));
  return table.includes(HUMAN) ? [...table] : [HUMAN, ...table.slice(1)];
}
