// The display names and colours of players. They are loaded at the start and when the journal changes. Data, filters
// and addresses use ids; pages show `nameOf(id)`.
import { ApiError, get, post } from "../api/client";
import type { PlayerName, PlayerNameList } from "../api/types";

const known = $state<{ players: ReadonlyMap<string, PlayerName> }>({ players: new Map() });

/** Return the display name of a player. It includes a suffix that distinguishes players of the same name. */
export function nameOf(player: string): string {
  const entry = known.players.get(player);
  if (entry) return entry.name;
  const at = player.indexOf(" (");
  const base = at > 0 ? known.players.get(player.slice(0, at)) : undefined;
  return base ? base.name + player.slice(at) : player;
}

/** Return the full entry of a player's name. */
export const namingOf = (player: string): PlayerName | undefined => known.players.get(player);

export async function loadNames(signal?: AbortSignal): Promise<void> {
  try {
    const { players } = await get<PlayerNameList>("/names", {}, { signal });
    known.players = new Map(players.map((one) => [one.player, one]));
  } catch (error) {
    // If names cannot be loaded, ids are shown.
    if (!(error instanceof ApiError) && !signal?.aborted) throw error;
  }
}

/** Give a player a name, or remove it. */
export async function giveName(player: string, name: string | null): Promise<void> {
  await post<PlayerName>("/names", { player, name });
  await loadNames();
}
