// What the stage needs of a record's events, asked before anything is drawn: a file from elsewhere may hold anything.
import { BrokenRecord, isNumber, isSeat, perSeat, type GameEvent, type GameRecord } from "../record";

type Test = (value: unknown, seats: number) => boolean;

const amount: Test = isNumber;
const seat: Test = isSeat;
const text: Test = (value) => typeof value === "string";
const amounts: Test = (value, seats) => perSeat(value, seats, isNumber);
const someSeats: Test = (value, seats) => Array.isArray(value) && value.every((one) => isSeat(one, seats));

const FIELDS: Record<string, Record<string, Test>> = {
  message_said: { round: amount, seat, text },
  contributed: { round: amount, start: amounts, contributions: amounts },
  fund_shared: { round: amount, carry_in: amount, pot: amount, grown: amount, share: amount, carry_out: amount, balances: amounts },
  punished: { round: amount, punisher: seat, target: seat, spend: amount, damage: amount },
  round_ended: { round: amount, balances: amounts, carry: amount },
  game_ended: { round: amount, balances: amounts, winners: someSeats },
};

const checked = new WeakMap<GameEvent[], number>();

/** Refuse a record whose events are not those of Contribute & Punish. */
export function check(record: GameRecord): void {
  const { events, seats } = record;
  for (let place = checked.get(events) ?? 0; place < events.length; place++) {
    const event = events[place]!;
    const fields = Object.hasOwn(FIELDS, event.event) ? FIELDS[event.event]! : {};
    const wrong = Object.keys(fields).find((field) => !fields[field]!(event[field], seats.length));
    if (wrong) throw new BrokenRecord(`Event ${place + 1} of the record, "${event.event}", has no usable "${wrong}".`);
  }
  checked.set(events, events.length);
}
