// The players of a game to be started.
import type { GameKind } from "../../api/types";

export const HUMAN = "human";
/** The command line allows more seats. */
const MAX_SEATS = 24;
/** The default number of seats of a game that declares none, if it has enough different players. */
const DEFAULT_SEATS = 8;

export const mostSeats = (game: Pick<GameKind, "most_seats">): number => Math.min(game.most_seats, MAX_SEATS);

/** Different players for the usual number of seats. */
export function usualTable(game: GameKind): string[] {
  const wanted = game.usual_seats ?? Math.min(DEFAULT_SEATS, game.players.length);
  const size = Math.min(Math.max(wanted, game.fewest_seats), mostSeats(game));
  return Array.from({ length: size }, (_, seat) => another(game, seat));
}

/** A player for one more seat. */
export function another(game: Pick<GameKind, "players">, seat: number): string {
  return game.players.length ? game.players[seat % game.players.length]! : HUMAN;
}

/** The table with a person at its first seat, or with built-in players only. */
export function withPerson(game: GameKind, table: readonly string[], person: boolean): string[] {
  if (!person) return table.map((player, seat) => (player === HUMAN ? another(game, seat) : player));
  return table.includes(HUMAN) ? [...table] : [HUMAN, ...table.slice(1)];
}
