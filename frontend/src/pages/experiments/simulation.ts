// The form that starts a simulation, and the request that it sends.
import type { SimulationField, SimulationKind, StartSimulation } from "../../api/types";
import { capital, spaced } from "../../lib/format";

/** The values of the form's fields: text and numbers as typed, switches, and players. */
export type Values = Record<string, string | number | boolean | string[] | null>;

/** The number of fields that are always shown. Further ones are folded. */
const SHOWN = 4;

/** Return the fields that are always shown, and the folded ones. A field that a simulation needs is always shown. */
export function shownFields(kind: SimulationKind): { shown: SimulationField[]; folded: SimulationField[] } {
  const first = kind.fields.filter((field, index) => index < SHOWN || field.name === "seed");
  return { shown: first, folded: kind.fields.filter((field) => !first.includes(field)) };
}

export const labelOf = (field: SimulationField): string => capital(spaced(field.name.replace(/_$/, "")));

/** Return the hint of a field: its meaning, its form and its range. */
export function hintOf({ meaning, form, range, many }: SimulationField): string {
  const aside = [form ? `as ${form}` : "", many && form ? "one on each line" : "", range].filter(Boolean).join("; ");
  return aside ? `${meaning} (${aside})` : meaning;
}

/** Return the request. Fields without a value are left out, so that their defaults apply. */
export function requestOf(kind: SimulationKind, game: string, players: readonly string[], values: Values, rules: Record<string, number | boolean>): StartSimulation {
  const settings: Record<string, string | string[]> = {};
  for (const field of kind.fields) {
    const value = values[field.name];
    if (value === null || value === undefined || value === "" || value === false) continue;
    if (value === true) settings[field.name] = "yes";
    else if (Array.isArray(value)) {
      if (value.length) settings[field.name] = value;
    } else if (field.many) {
      const lines = String(value).split("\n").map((line) => line.trim()).filter(Boolean);
      if (lines.length) settings[field.name] = lines;
    } else settings[field.name] = String(value).trim();
  }
  return { kind: kind.name, game, players: kind.players ? [...players] : [], settings, rules };
}
