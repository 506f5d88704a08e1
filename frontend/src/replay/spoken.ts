// What a screen reader says of a moment: its name, what was said or done, who leads.
import { foldOf, momentAt, momentName, ranks, seatsAt } from "./fold";
import type { Highlight } from "./highlights";
import { momentStart } from "./transcript";
import { seatName, type GameRecord, type Note } from "./record";
import { cut, sentenceOf, shownAs } from "./words";

const LONGEST = 600;
const QUOTED = 400;

/** One moment in a few sentences. */
export function spoken(record: GameRecord, seen: number, highlights: Highlight[], notes: Note[]): string {
  if (!record.scene) return "";
  const fold = foldOf(record);
  const start = momentStart(record, seen);
  const told = seen > 0 ? momentAt(record, fold, seen) : [];
  const said = told.flatMap((telling) => [
    ...(telling.effects ?? []).flatMap((effect) => (effect.do === "say" && effect.text ? [`“${cut(effect.text, QUOTED)}”`] : [])),
    ...(telling.text ?? []).map((one) => sentenceOf(record, one)),
  ]);
  const here = (at: number): boolean => at > start && at <= seen;
  const parts = [
    momentName(record, seen),
    ...highlights.filter(({ at }) => here(at)).map(({ title }) => title),
    ...said,
    record.scene.layout === "question" ? "" : leader(record, seen),
    ...notes.filter(({ moment }) => here(moment) || (seen === 0 && moment === 0)).map(({ text }) => (text ? `Note: ${text}` : "Bookmarked")),
  ];
  const sentences = parts.filter(Boolean).map((part) => (/[.!?…”]$/.test(part) ? part : `${part}.`));
  return cut(sentences.filter((one, place) => sentences.indexOf(one) === place).join(" "), LONGEST);
}

function leader(record: GameRecord, seen: number): string {
  const name = record.scene!.final ?? record.scene!.card?.quantity;
  return seen === 0 ? "" : leading(record, name, seatsAt(foldOf(record), name, seen));
}

/** Who holds most of a quantity, or least where that is better: one seat, or those who share the place. Nothing where
 *  all do. */
export function leading(record: GameRecord, quantity: string | undefined, values: (number | null)[]): string {
  const first = ranks(values, record.scene!.better).flatMap((rank, seat) => (rank === 1 && values[seat] !== null ? [seat] : []));
  if (first.length === 0 || first.length === values.length) return "";
  const who = first.length > 2 ? `${first.length} seats` : first.map((seat) => seatName(record, seat)).join(" and ");
  return `${who} ${first.length > 1 ? "lead" : "leads"} with ${shownAs(record.scene!.quantities?.[quantity!], values[first[0]!]!)}`;
}
