// What players are called, and their colours: one map for all pages, asked for with the lab and again when the journal
// changes. Data, filters and addresses keep the ids; whatever shows a player says `nameOf(id)`.
import { ApiError, get, post } from "../api/client";
import type { PlayerName, PlayerNames } from "../api/types";

const known = $state<{ players: ReadonlyMap<string, PlayerName> }>({ players: new Map() });

/** What to call a player. One that a board tells apart from others of its name keeps what tells it apart. */
export function nameOf(player: string): string {
  const found = known.players.get(player);
  if (found) return found.name;
  const at = player.indexOf(" (");
  const base = at > 0 ? known.players.get(player.slice(0, at)) : undefined;
  return base ? base.name + player.slice(at) : player;
}

/** All that is known of a player's name. */
export const namingOf = (player: string): PlayerName | undefined => known.players.get(player);

export async function loadNames(signal?: AbortSignal): Promise<void> {
  try {
    const { players } = await get<PlayerNames>("/names", {}, { signal });
    known.players = new Map(players.map((one) => [one.player, one]));
  } catch (error) {
    // Without names there are the ids.
    if (!(error instanceof ApiError) && !signal?.aborted) throw error;
  }
}

/** Give a player a name, or take it away again. */
export async function giveName(player: string, name: string | null): Promise<void> {
  await post<PlayerName>("/names", { player, name });
  await loadNames();
}
