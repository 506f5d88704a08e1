// The rules offered when a game is started, from the JSON schema of all rules.
import type { GameKind } from "../../api/types";
import { capital, spaced } from "../../lib/format";

export interface Rule {
  name: string;
  label: string;
  hint?: string;
  kind: "whole" | "number" | "switch";
  /** Null if the rule is off by default. */
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
  description?: string;
}

/** Further rules can be set on the command line. */
const MAX_RULES = 8;

/** The first rules of a game's schema that can be set when it is started. */
export function ruleFields(game: Pick<GameKind, "rules">): Rule[] {
  const properties = (game.rules["properties"] ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([name, schema]) => rule(name, schema) ?? []).slice(0, MAX_RULES);
}

function rule(name: string, schema: Schema): Rule | null {
  const plain = schema.anyOf?.find((one) => one.type !== "null") ?? schema;
  const kind = plain.type === "integer" ? "whole" : plain.type === "number" ? "number" : plain.type === "boolean" ? "switch" : null;
  if (!kind) return null;
  const usual = typeof schema.default === "number" || typeof schema.default === "boolean" ? schema.default : null;
  return { name, label: capital(spaced(name)), hint: schema.description, kind, usual, lowest: plain.minimum, highest: plain.maximum };
}

export type RuleValues = Record<string, number | boolean | null>;

/** The rules that differ from their defaults, which are sent. */
export function changedRules(rules: readonly Rule[], chosen: RuleValues): Record<string, number | boolean> {
  const values: Record<string, number | boolean> = {};
  for (const { name, usual } of rules) {
    const value = chosen[name];
    if (value !== null && value !== undefined && value !== usual) values[name] = value;
  }
  return values;
}
