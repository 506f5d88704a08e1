// What the reader has chosen to compare, as the address bar keeps it and as the server is asked for it.
import { published, type Query } from "../../api/client";

export interface Choice {
  /** The study, as the server lists it. */
  kind: string | null;
  experiments: string[];
  players: string[];
  messages: "all" | "on" | "off";
  defaulted: "with" | "games" | "seats";
  /** The digest of the rules whose board is shown; without one, those with the most games. */
  rules: string | null;
  /** What is taken together although it differs. */
  pool: Pool[];
  /** The rating method by which players are ranked, as the server lists them. */
  ranked: string;
  /** The settings of TrueSkill; without one, the server's own. */
  draw: string | null;
  passes: string | null;
}

export const POOLS = ["rules", "players", "copies", "exercises", "people"] as const;
export type Pool = (typeof POOLS)[number];

export function chosen(query: URLSearchParams): Choice {
  return {
    kind: query.get("kind"),
    experiments: query.getAll("experiment"),
    players: query.getAll("player"),
    messages: oneOf(["on", "off"] as const, query.get("messages")) ?? "all",
    defaulted: oneOf(["games", "seats"] as const, query.get("defaulted")) ?? "with",
    rules: query.get("rules"),
    pool: POOLS.filter((one) => query.getAll("pool").includes(one)),
    // A published site has no server that could rate anew.
    ranked: (published ? null : query.get("ranked")) ?? "trueskill",
    draw: published ? null : query.get("draw"),
    passes: published ? null : query.get("passes"),
  };
}

function oneOf<T extends string>(allowed: readonly T[], given: string | null): T | null {
  return allowed.find((one) => one === given) ?? null;
}

/** For the address: what says nothing is left out. */
export function kept(choice: Choice): Record<string, string | string[] | null> {
  return {
    kind: choice.kind,
    experiment: choice.experiments,
    player: choice.players,
    messages: choice.messages === "all" ? null : choice.messages,
    defaulted: choice.defaulted === "with" ? null : choice.defaulted,
    rules: choice.rules,
    pool: choice.pool,
    ranked: choice.ranked === "trueskill" ? null : choice.ranked,
    draw: choice.draw,
    passes: choice.passes,
  };
}

/** For the server, which is always told the game. */
export const asked = (choice: Choice, kind: string): Query => ({ ...kept(choice), kind });

/** In how many ways the games are narrowed. */
export function narrowings(choice: Choice): number {
  const { experiments, players, messages, defaulted, rules, pool } = choice;
  return [experiments.length > 0, players.length > 0, messages !== "all", defaulted !== "with", rules !== null, pool.length > 0].filter(Boolean).length;
}

/** Whether anything but the game is chosen. */
export const narrowed = (choice: Choice): boolean => narrowings(choice) > 0;

/** Without filters; how players are rated stays. */
export const cleared = (choice: Choice): Choice => ({
  ...choice,
  experiments: [],
  players: [],
  messages: "all",
  defaulted: "with",
  rules: null,
  pool: [],
});
