// The items of a stated task: what was asked, and what was answered.
import { valued } from "../generic/words";
import { BrokenRecord, isCount, isObject, type GameEvent, type GameRecord } from "../record";

export interface Item extends GameEvent {
  number: number;
  role: string;
  condition: string;
  repetition: number;
  purpose: string;
  step: number;
  facts: Record<string, unknown>;
  /** In the order shown. */
  options: string[];
  labels: string[];
  answer: string | number | null;
  fault: string | null;
}

export function isItem(event: GameEvent): event is Item {
  return event.event === "item_answered";
}

/** Refuse a record whose items cannot be shown. */
export function checkItems(record: GameRecord): void {
  record.events.forEach((event, place) => {
    if (!isItem(event)) return;
    const { number, role, condition, purpose, facts, options, labels, answer } = event as Record<string, unknown>;
    const whole = isCount(number) && [role, condition, purpose].every((text) => typeof text === "string") && isObject(facts);
    const texts = [options, labels].every((list) => Array.isArray(list) && list.every((text) => typeof text === "string"));
    const answered = answer === null || typeof answer === "string" || typeof answer === "number";
    if (!whole || !texts || !answered) throw new BrokenRecord(`Event ${place + 1} of the record, item_answered, does not say what was asked and answered.`);
  });
}

/** An answer in words; the option that was chosen with the letter it was shown under. */
export function answered({ answer, options, labels, fault }: Item): string {
  if (answer === null) return fault ? `no valid answer (${fault})` : "no valid answer";
  const place = typeof answer === "string" ? options.indexOf(answer) : -1;
  return place >= 0 && labels[place] !== undefined ? `${valued(answer)} (${labels[place]})` : valued(answer);
}

/** What an adaptive sequence ended with. */
export function ending(event: GameEvent): string {
  const axis = typeof event.axis === "string" ? ` on ${event.axis}` : "";
  if (event.outcome === "point") return `indifferent at ${valued(event.value)}${axis}`;
  if (event.outcome === "censored") return `beyond ${valued(event.value)}${axis}`;
  return `invalid${event.reason ? ` (${valued(event.reason)})` : ""}`;
}
