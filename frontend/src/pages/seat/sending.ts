// The label of the button that sends the answer. It is the answer in words.
import { capital, spaced } from "../../lib/format";
import { NO_SEAT, PASS, plain, type Field, type NumberField } from "./form";

type Values = Record<string, unknown>;

const VERBS: Record<string, string> = {
  contribution: "contribute",
  transfer: "give",
  offer: "offer",
  send: "send",
  return: "send back",
  claim: "claim",
  guess: "name",
  choice: "choose",
};
/** Fields whose numbers are amounts in the game's unit. */
const AMOUNTS = new Set(["transfer", "offer", "send", "return", "claim", "contribution", "spend", "lobby"]);

/** Return the answer as an action: 'Contribute 12 tokens', 'Punish P3 with 2 tokens', 'Stay silent'. `unit` is the unit
 * of amounts. */
export function answerText(fields: Field[], values: Values, unit: string): string {
  const parts = fields.map((field) => part(field, values, unit)).filter(Boolean);
  return capital(parts.join(", ")) || "Send answer";
}

function part(field: Field, values: Values, unit: string): string {
  if (field.askedIf && !(field.name in values)) return "";
  if (field.passes && values[field.name] === null) return PASS;
  switch (field.kind) {
    case "aimed": {
      const target = values[field.target.name];
      if (target === NO_SEAT) return `${field.name} nobody`;
      return `${field.name} ${String(target)} with ${amount(Number(values[field.spend.name]), unit)}`;
    }
    case "text":
      if (field.optional) return "";
      return String(values[field.name] ?? "").trim() ? "say this to everyone" : "stay silent";
    case "choice":
      if (field.name === "vote") return values[field.name] === NO_SEAT ? "vote for nobody" : `vote to exclude ${String(values[field.name])}`;
      return `${verb(field.name)} ${String(values[field.name])}`;
    case "number":
      return numberText(field, Number(values[field.name]), unit);
    case "raw":
      return `send ${spaced(field.name)}`;
  }
}

function numberText(field: NumberField, value: number, unit: string): string {
  if (field.name === "lobby") {
    if (value === 0) return "lobby for nothing";
    return `lobby ${value > 0 ? "up" : "down"} with ${amount(Math.abs(value), unit)}`;
  }
  if (isFraction(field)) return `${verb(field.name)} ${plain(100 * value)} %`;
  return `${verb(field.name)} ${amount(value, AMOUNTS.has(field.name) ? unit : "")}`;
}

/** True if a number is a share that is shown in per cent. */
export const isFraction = (field: NumberField): boolean => !field.whole && field.low === 0 && field.high === 1;

/** Return an amount with its unit: '12 tokens', '1 token'. */
export function amount(value: number, unit: string): string {
  const noun = value === 1 && unit.endsWith("s") ? unit.slice(0, -1) : unit;
  return `${plain(value)} ${noun}`.trim();
}

const verb = (name: string): string => VERBS[name] ?? spaced(name);

/** Return the name of a property as the label of its input. */
export const labelOf = (name: string): string => capital(spaced(name));
