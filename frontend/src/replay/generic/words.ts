// An event of any game in words: a sentence where the event is known, else its name and its fields. Records are anybody's,
// so every field is read with care; what does not fit its sentence is told by its fields.
import { listed } from "../format";
import { isNumber, isObject, isSeat, perSeat, seatName, type GameEvent, type GameRecord } from "../record";

type Sentence = (event: GameEvent, name: (seat: number) => string, record: GameRecord) => string | null;

/** More seats than this are not told one by one. */
const MOST_SEATS = 12;
/** Longer values are cut in the middle of a sentence; the record has them whole. */
const MOST_SIGNS = 2000;

const SENTENCES: Record<string, Sentence> = {
  given: (event, name) => numbers(event, ["amount", "pot"], (amount, pot) => `${name(0)} gives ${name(1)} ${amount} of ${pot}.`),
  offered: (event, name) => numbers(event, ["offer", "pot"], (offer, pot) => `${name(0)} offers ${name(1)} ${offer} of ${pot}.`),
  responded: (event, name) => `${name(1)} ${event.accepted === true ? "accepts" : "rejects"}.`,
  sent: (event, name) =>
    numbers(event, ["amount", "endowment", "received"], (amount, endowment, got) => `${name(0)} sends ${amount} of ${endowment}; ${name(1)} gets ${got}.`),
  returned: (event, name) => numbers(event, ["amount"], (amount) => `${name(1)} returns ${amount}.`),
  moved: (event, name, record) =>
    isSeat(event.seat, record.seats.length) && isNumber(event.node)
      ? `Node ${event.node}: ${name(event.seat)} ${event.move === "take" ? "takes" : "passes"}.`
      : null,
  hunted: (event, name, record) => each(event.choices, name, record, (who, choice) => `${who} hunts the ${choice}`),
  shown: (event, name, record) => each(event.sides, name, record, (who, side) => `${who} shows ${side}`),
  claimed: (event, name, record) => each(event.claims, name, record, (who, claim) => `${who} claims ${claim}`),
  guessed: (event, name, record) =>
    joined(
      each(event.guesses, name, record, (who, guess) => `${who} names ${guess}`),
      numbers(event, ["mean", "target"], (mean, target) => `The mean is ${mean}, the target ${target}.`),
    ),
  contributed: (event, name, record) =>
    joined(
      each(event.contributions, name, record, (who, amount) => `${who} contributes ${amount}`),
      numbers(event, ["fund", "share"], (fund, share) => `The fund holds ${fund}; ${share} for each.`),
    ),
  game_ended: (event, name, record) => {
    const winners = event.winners;
    if (!Array.isArray(winners) || !winners.length || !winners.every((seat): seat is number => isSeat(seat, record.seats.length))) return null;
    if (winners.length === record.seats.length && winners.length > 1) return "The game ends; all get the same.";
    return `The game ends; ${winners.length > MOST_SEATS ? `${winners.length} seats` : listed(winners.map(name))} ${winners.length > 1 ? "get" : "gets"} most.`;
  },
  line_picked: (event) => `Line ${valued(event.line)} of ${valued(event.label)} in round ${valued(event.round)} is picked, rated ${valued(event.rating)}: ${valued(event.reason)}`,
  portion_read: (event) => `Lines ${valued(event.first)} to ${valued(event.last)} are read; ${valued(event.picked)} picked.`,
  line_judged: (event) =>
    event.promise === true
      ? `Line ${valued(event.line)} of ${valued(event.label)} in round ${valued(event.round)} is a promise${isNumber(event.tokens) ? ` of ${valued(event.tokens)}` : ""}.`
      : `Line ${valued(event.line)} of ${valued(event.label)} in round ${valued(event.round)} is no promise.`,
  lines_unjudged: (event) => `Lines ${valued(event.first)} to ${valued(event.last)} of round ${valued(event.round)} get no answer.`,
  decided: (event) => `${valued(event.label)} decides ${valued(event.raw)} in turn ${valued(event.turn)}, ${valued(event.phase)}.`,
};

/** An event in a sentence. */
export function tellEvent(record: GameRecord, event: GameEvent): string {
  const known = Object.hasOwn(SENTENCES, event.event) ? SENTENCES[event.event]! : null;
  return known?.(event, (seat) => seatName(record, seat), record) ?? plainly(event);
}

/** A value of any kind in a line; never longer than a paragraph. */
export function valued(value: unknown): string {
  return cut(written(value));
}

function written(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "number") return String(Number(value.toPrecision(10))).replace("-", "−");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `(${value.slice(0, 50).map(valued).join(", ")}${value.length > 50 ? ", …" : ""})`;
  return Object.entries(value as object)
    .slice(0, 50)
    .map(([name, one]) => `${name.replaceAll("_", " ")} ${valued(one)}`)
    .join(", ");
}

function plainly({ event, version: _, ...fields }: GameEvent): string {
  const told = isObject(fields) ? valued(fields) : "";
  const title = cut(event.replaceAll("_", " "));
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${told ? `: ${told}` : ""}.`;
}

function cut(text: string): string {
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}

function numbers(event: GameEvent, fields: string[], say: (...values: string[]) => string): string | null {
  return fields.every((field) => isNumber(event[field])) ? say(...fields.map((field) => valued(event[field]))) : null;
}

function each(values: unknown, name: (seat: number) => string, record: GameRecord, say: (who: string, value: string) => string): string | null {
  if (!perSeat(values, record.seats.length, (_): _ is unknown => true)) return null;
  const told = values.slice(0, MOST_SEATS).map((value, seat) => say(name(seat), valued(value)));
  return `${told.join("; ")}${values.length > MOST_SEATS ? `; and ${values.length - MOST_SEATS} more` : ""}.`;
}

function joined(first: string | null, second: string | null): string | null {
  return first === null || second === null ? null : `${first} ${second}`;
}
