// The label of the button that sends the answer. It is the answer in words.
import { capital, spaced } from "../../lib/format";
import { named, word } from "../../lib/words.svelte";
import { NO_SEAT, plain, type Field, type NumberField } from "./form";

type Values = Record<string, unknown>;

/** Fields whose numbers are amounts in the game's unit. */
const AMOUNTS = new Set(["transfer", "offer", "send", "return", "claim", "contribution", "spend", "lobby"]);

/** Return the answer as an action: 'Contribute 12 tokens', 'Punish P3 with 2 tokens', 'Stay silent'. `unit` is the unit
 * of amounts. */
export function answerText(fields: Field[], values: Values, unit: string): string {
  const parts = fields.map((field) => part(field, values, unit)).filter(Boolean);
  return capital(parts.join(", ")) || word("send_answer");
}

function part(field: Field, values: Values, unit: string): string {
  if (field.askedIf && !(field.name in values)) return "";
  if (field.passes && values[field.name] === null) return word("option_pass");
  switch (field.kind) {
    case "aimed": {
      const target = values[field.target.name];
      const action = named("action", field.name);
      if (target === NO_SEAT) return word("send_not_aimed", { action, target: named("option", NO_SEAT) });
      return word("send_aimed", { action, target: String(target), value: amount(Number(values[field.spend.name]), unit) });
    }
    case "text":
      if (field.optional) return "";
      return word(String(values[field.name] ?? "").trim() ? "send_message" : "send_silence");
    case "choice": {
      const target = named("option", String(values[field.name]));
      if (field.name === "vote") return word(values[field.name] === NO_SEAT ? "send_no_vote" : "send_vote", { target });
      return sent(field.name, target);
    }
    case "number":
      return numberText(field, Number(values[field.name]), unit);
    case "raw":
      return word("send_raw", { field: named("field", field.name, spaced(field.name)) });
  }
}

function numberText(field: NumberField, value: number, unit: string): string {
  if (field.name === "lobby") {
    if (value === 0) return word("send_no_lobby");
    return word(value > 0 ? "send_lobby_up" : "send_lobby_down", { value: amount(Math.abs(value), unit) });
  }
  if (isFraction(field)) return sent(field.name, `${plain(100 * value)} %`);
  return sent(field.name, amount(value, AMOUNTS.has(field.name) ? unit : ""));
}

/** Return the action of a field with its value: 'contribute 12 tokens'. */
function sent(name: string, value: string): string {
  const own = named("send", name, "");
  return own ? own.replace("{value}", () => value) : word("send_field", { field: named("field", name, spaced(name)), value });
}

/** True if a number is a share that is shown in per cent. */
export const isFraction = (field: NumberField): boolean => !field.whole && field.low === 0 && field.high === 1;

/** Return an amount with its unit: '12 tokens', '1 token'. */
export function amount(value: number, unit: string): string {
  const several = named("unit", unit, unit);
  const noun = value === 1 ? named("one", unit, several.endsWith("s") ? several.slice(0, -1) : several) : several;
  return `${plain(value)} ${noun}`.trim();
}

/** Return the name of a property as the label of its input. */
export const labelOf = (name: string): string => capital(named("field", name, spaced(name)));
