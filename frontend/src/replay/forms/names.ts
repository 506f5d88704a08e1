// A moment of a played game in a few words.
import { isNumber, isSeat, type GameEvent, type GameRecord } from "../record";
import { amount } from "./picture";

type Name = (event: GameEvent, label: (seat: number) => string, record: GameRecord) => string | null;

const money = (value: unknown): string | null => (isNumber(value) ? amount(value) : null);
const did = (who: string, verb: string, value: unknown): string | null => (money(value) === null ? null : `${who} ${verb} ${money(value)}`);

const NAMES: Record<string, Name> = {
  given: ({ amount: value }, label) => did(label(0), "gives", value),
  offered: ({ offer }, label) => did(label(0), "offers", offer),
  responded: ({ accepted }, label) => `${label(1)} ${accepted === true ? "accepts" : "rejects"}`,
  sent: ({ amount: value }, label) => did(label(0), "sends", value),
  returned: ({ amount: value }, label) => did(label(1), "returns", value),
  moved: ({ node, seat, move }, label, record) => (isNumber(node) && isSeat(seat, record.seats.length) ? `Node ${node}: ${label(seat)} ${move === "take" ? "takes" : "passes"}` : null),
  hunted: () => "Both choose",
  shown: () => "Both show a side",
  claimed: () => "Both claim",
  guessed: () => "All name a number",
  contributed: () => "All contribute",
  game_ended: () => "The end",
};

/** What the last event that has been seen is; null where it has no such name. */
export function momentName(record: GameRecord, seen: number): string | null {
  if (seen === 0) return "Before the first move";
  const event = record.events[seen - 1];
  if (!event || !Object.hasOwn(NAMES, event.event)) return null;
  const label = (seat: number): string => record.seats[seat]?.label.slice(0, 40) ?? `P${seat + 1}`;
  return NAMES[event.event]!(event, label, record);
}
