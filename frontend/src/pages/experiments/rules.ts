// The few rules that the start of a game offers, out of the JSON schema of all of them.
import type { GameKind } from "../../api/types";
import { spaced } from "../../lib/format";

export interface Rule {
  name: string;
  label: string;
  hint?: string;
  kind: "whole" | "number" | "switch";
  /** Null where the rule is off unless it is set. */
  usual: number | boolean | null;
  lowest?: number;
  highest?: number;
}

interface Schema {
  type?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  anyOf?: Schema[];
}

/** By the game's command: which rules, and what to say of them. Games that are not here offer their first ones. */
const OFFERED: Record<string, Record<string, { label: string; hint?: string }>> = {
  punish: {
    rounds: { label: "Rounds" },
    start: { label: "Tokens at the start" },
    multiplier: { label: "Multiplier of the fund" },
    messages: { label: "Messages", hint: "Seats speak before they contribute." },
    punishment: { label: "Punishment", hint: "Seats may spend tokens to take others' tokens." },
    anonymous: { label: "Anonymous punishment", hint: "Nobody learns who punished whom." },
  },
  commons: {
    turns: { label: "Turns", hint: "Empty: it ends by chance." },
    endowment: { label: "Endowment a turn" },
    alpha: { label: "Equal shares (α)", hint: "1: equal shares. 0: as one contributed." },
    lobbying: { label: "Lobbying", hint: "Seats may spend capital to move α." },
    erosion: { label: "Erosion", hint: "Kept money rots while the synergy is low." },
    voting: { label: "Voting", hint: "Seats may exclude one of them." },
  },
};
const MOST = 6;

/** The rules of a game that can be set where it is started. */
export function offered(game: Pick<GameKind, "command" | "rules">): Rule[] {
  const properties = (game.rules["properties"] ?? {}) as Record<string, Schema>;
  const chosen = OFFERED[game.command];
  const names = chosen ? Object.keys(chosen) : Object.keys(properties);
  return names.flatMap((name) => rule(name, properties[name], chosen?.[name]) ?? []).slice(0, MOST);
}

function rule(name: string, schema: Schema | undefined, words: { label: string; hint?: string } | undefined): Rule | null {
  if (!schema) return null;
  const plain = schema.anyOf?.find((one) => one.type !== "null") ?? schema;
  const kind = plain.type === "integer" ? "whole" : plain.type === "number" ? "number" : plain.type === "boolean" ? "switch" : null;
  if (!kind) return null;
  const usual = typeof schema.default === "number" || typeof schema.default === "boolean" ? schema.default : null;
  const label = words?.label ?? capital(spaced(name));
  return { name, label, hint: words?.hint, kind, usual, lowest: plain.minimum, highest: plain.maximum };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export type Chosen = Record<string, number | boolean | null>;

/** What is set otherwise than usual: that alone is sent. */
export function changed(rules: readonly Rule[], chosen: Chosen): Record<string, number | boolean> {
  const told: Record<string, number | boolean> = {};
  for (const { name, usual } of rules) {
    const value = chosen[name];
    if (value !== null && value !== undefined && value !== usual) told[name] = value;
  }
  return told;
}
