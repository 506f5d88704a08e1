// The players that the reader has pinned. They are highlighted in every chart, with their intervals.
export const pins = $state<{ players: string[] }>({ players: [] });

export function toggle(player: string): void {
  pins.players = pins.players.includes(player) ? pins.players.filter((one) => one !== player) : [...pins.players, player];
}

export function clear(): void {
  pins.players = [];
}
