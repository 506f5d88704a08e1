// The reader's choice of games and players to compare. It is stored in the address and sent in requests.
import { published, type Query } from "../../api/client";

export interface Choice {
  /** The study, by its name in the server's list. */
  kind: string | null;
  experiments: string[];
  players: string[];
  messages: "all" | "on" | "off";
  defaulted: "with" | "games" | "seats";
  /** The digest of the leaderboard's rules. By default, it is that of the rules with the most games. */
  rules: string | null;
  /** The differences between rules or players that are ignored, so that such games are pooled. */
  pool: Pool[];
  /** The rating method, by its name in the server's list. */
  ranked: string | null;
  /** The settings of TrueSkill. By default, they are those of the server. */
  draw: string | null;
  passes: string | null;
}

export const POOLS = ["rules", "players", "copies", "exercises", "people", "practice", "replaced", "rosters"] as const;
export type Pool = (typeof POOLS)[number];

export function choiceOf(query: URLSearchParams): Choice {
  return {
    kind: query.get("kind"),
    experiments: query.getAll("experiment"),
    players: query.getAll("player"),
    messages: oneOf(["on", "off"] as const, query.get("messages")) ?? "all",
    defaulted: oneOf(["games", "seats"] as const, query.get("defaulted")) ?? "with",
    rules: query.get("rules"),
    pool: POOLS.filter((one) => query.getAll("pool").includes(one)),
    // A published site has no server that could compute ratings.
    ranked: published ? null : query.get("ranked"),
    draw: published ? null : query.get("draw"),
    passes: published ? null : query.get("passes"),
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: string | null): T | null {
  return allowed.find((one) => one === value) ?? null;
}

/** Return the parameters for the address. Defaults are left out. */
export function parametersOf(choice: Choice): Record<string, string | string[] | null> {
  return {
    kind: choice.kind,
    experiment: choice.experiments,
    player: choice.players,
    messages: choice.messages === "all" ? null : choice.messages,
    defaulted: choice.defaulted === "with" ? null : choice.defaulted,
    rules: choice.rules,
    pool: choice.pool,
    ranked: choice.ranked,
    draw: choice.draw,
    passes: choice.passes,
  };
}

/** Return the parameters of requests. They always include the game. */
export const requestOf = (choice: Choice, kind: string): Query => ({ ...parametersOf(choice), kind });

/** Return the number of active filters. */
export function filterCount(choice: Choice): number {
  const { experiments, players, messages, defaulted, rules, pool } = choice;
  return [experiments.length > 0, players.length > 0, messages !== "all", defaulted !== "with", rules !== null, pool.length > 0].filter(Boolean).length;
}

/** True if any filter is active. */
export const isFiltered = (choice: Choice): boolean => filterCount(choice) > 0;

/** Return the choice without filters. The settings of ratings are kept. */
export const clearFilters = (choice: Choice): Choice => ({
  ...choice,
  experiments: [],
  players: [],
  messages: "all",
  defaulted: "with",
  rules: null,
  pool: [],
});
