// The few rules that the start of a game offers, out of the JSON schema of all of them.
import type { GameKind } from "../../api/types";
import { capital, spaced } from "../../lib/format";

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
  description?: string;
}

/** More rules can be set on the command line. */
const MOST = 8;

/** The rules of a game that can be set where it is started: the first of those that its schema holds. */
export function offered(game: Pick<GameKind, "rules">): Rule[] {
  const properties = (game.rules["properties"] ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([name, schema]) => rule(name, schema) ?? []).slice(0, MOST);
}

function rule(name: string, schema: Schema): Rule | null {
  const plain = schema.anyOf?.find((one) => one.type !== "null") ?? schema;
  const kind = plain.type === "integer" ? "whole" : plain.type === "number" ? "number" : plain.type === "boolean" ? "switch" : null;
  if (!kind) return null;
  const usual = typeof schema.default === "number" || typeof schema.default === "boolean" ? schema.default : null;
  return { name, label: capital(spaced(name)), hint: schema.description, kind, usual, lowest: plain.minimum, highest: plain.maximum };
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
