// Who sits at a table that is about to be started.
import type { GameKind } from "../../api/types";

export const HUMAN = "human";
/** More seats can be had on the command line. */
const MOST = 24;
/** So many sit at a table whose game says nothing of it, where there are as many different players. */
const USUAL = 8;

export const mostSeats = (game: Pick<GameKind, "most_seats">): number => Math.min(game.most_seats, MOST);

/** As many different players as sit there usually. */
export function usualTable(game: GameKind): string[] {
  const wanted = game.usual_seats ?? Math.min(USUAL, game.players.length);
  const size = Math.min(Math.max(wanted, game.fewest_seats), mostSeats(game));
  return Array.from({ length: size }, (_, seat) => another(game, seat));
}

/** A player for one more seat. */
export function another(game: Pick<GameKind, "players">, seat: number): string {
  return game.players.length ? game.players[seat % game.players.length]! : HUMAN;
}

/** The same table with a person at its first seat, or with nobody but built-in players. */
export function withPerson(game: GameKind, table: readonly string[], person: boolean): string[] {
  if (!person) return table.map((player, seat) => (player === HUMAN ? another(game, seat) : player));
  return table.includes(HUMAN) ? [...table] : [HUMAN, ...table.slice(1)];
}
