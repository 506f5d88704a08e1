// The rules that can be set when a game is started, and the settings of a benchmark. Both are read from JSON schemas.
import type { GameKind } from "../../api/types";
import { capital, spaced } from "../../lib/format";

export interface Rule {
  name: string;
  label: string;
  hint?: string;
  kind: "whole" | "number" | "switch";
  /** The default value; null if the rule is off by default. */
  usual: number | boolean | null;
  range: { min?: number; max?: number; step: number | "any" };
}

interface Schema {
  type?: string;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  anyOf?: Schema[];
  description?: string;
}

/** The largest number of rules that are shown. Further rules can be set on the command line. */
const MAX_RULES = 8;

/** Return the first rules in a game's schema that can be set when the game is started. */
export const ruleFields = (game: Pick<GameKind, "rules">): Rule[] => fieldsOf(game.rules).slice(0, MAX_RULES);

/** Return the numbers and switches in a JSON schema. */
export const fieldsOf = (schema: Record<string, unknown>): Rule[] => Object.entries((schema["properties"] ?? {}) as Record<string, Schema>).flatMap(([name, one]) => rule(name, one) ?? []);

function rule(name: string, schema: Schema): Rule | null {
  const plain = schema.anyOf?.find((one) => one.type !== "null") ?? schema;
  const kind = plain.type === "integer" ? "whole" : plain.type === "number" ? "number" : plain.type === "boolean" ? "switch" : null;
  if (!kind) return null;
  const usual = typeof schema.default === "number" || typeof schema.default === "boolean" ? schema.default : null;
  return { name, label: capital(spaced(name)), hint: schema.description, kind, usual, range: { min: plain.minimum ?? (kind === "whole" && plain.exclusiveMinimum !== undefined ? plain.exclusiveMinimum + 1 : plain.exclusiveMinimum), max: plain.maximum, step: kind === "whole" ? 1 : "any" } };
}

export type RuleValues = Record<string, number | boolean | null>;

/** Return the rules that differ from their defaults. Only these are sent. */
export function changedRules(rules: readonly Rule[], chosen: RuleValues): Record<string, number | boolean> {
  const values: Record<string, number | boolean> = {};
  for (const { name, usual } of rules) {
    const value = chosen[name];
    if (value !== null && value !== undefined && value !== usual) values[name] = value;
  }
  return values;
}
