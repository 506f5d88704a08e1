// The text of a moment for screen readers: its name, the messages or actions, and the leader.
import { foldOf, momentAt, momentName, ranks, seatsAt } from "./fold";
import type { Highlight } from "./highlights";
import { momentStart } from "./transcript";
import { seatName, type GameRecord, type Note } from "./record";
import { cut, sentenceOf, formatQuantity } from "./words";

const MAX_CHARACTERS = 600;
const MAX_QUOTE = 400;

/** Return a moment in a few sentences. */
export function spoken(record: GameRecord, seen: number, highlights: Highlight[], notes: Note[]): string {
  if (!record.scene) return "";
  const fold = foldOf(record);
  const start = momentStart(record, seen);
  const tellings = seen > 0 ? momentAt(record, fold, seen) : [];
  const lines = tellings.flatMap((telling) => [
    ...(telling.effects ?? []).flatMap((effect) => (effect.do === "say" && effect.text ? [`“${cut(effect.text, MAX_QUOTE)}”`] : [])),
    ...(telling.text ?? []).map((one) => sentenceOf(record, one)),
  ]);
  const isNow = (at: number): boolean => at > start && at <= seen;
  const parts = [
    momentName(record, seen),
    ...highlights.filter(({ at }) => isNow(at)).map(({ title }) => title),
    ...lines,
    record.scene.layout === "question" ? "" : leader(record, seen),
    ...notes.filter(({ moment }) => isNow(moment) || (seen === 0 && moment === 0)).map(({ text }) => (text ? `Note: ${text}` : "Bookmarked")),
  ];
  const sentences = parts.filter(Boolean).map((part) => (/[.!?…”]$/.test(part) ? part : `${part}.`));
  return cut(sentences.filter((one, place) => sentences.indexOf(one) === place).join(" "), MAX_CHARACTERS);
}

function leader(record: GameRecord, seen: number): string {
  const name = record.scene!.final ?? record.scene!.card?.quantity;
  return seen === 0 ? "" : leaderText(record, name, seatsAt(foldOf(record), name, seen));
}

/** Return the leading seats by a quantity; empty if all seats are equal. */
export function leaderText(record: GameRecord, quantity: string | undefined, values: (number | null)[]): string {
  const first = ranks(values, record.scene!.better).flatMap((rank, seat) => (rank === 1 && values[seat] !== null ? [seat] : []));
  if (first.length === 0 || first.length === values.length) return "";
  const who = first.length > 2 ? `${first.length} seats` : first.map((seat) => seatName(record, seat)).join(" and ");
  return `${who} ${first.length > 1 ? "lead" : "leads"} with ${formatQuantity(record.scene!.quantities?.[quantity!], values[first[0]!]!)}`;
}
