// A moment of Contribute & Punish in words, and the text of players cut to a length that a page can bear.
import type { GameRecord } from "../record";
import { fold, momentAt } from "./fold";

const PLAIN = /^[\x20-\x7e]{1,24}$/;
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;
const counts = new Intl.NumberFormat("en");

/** What the others call a seat. A record from elsewhere may hold any text there: it is cut, and cannot turn the
 * direction of what stands around it. */
export function labelOf(record: GameRecord, seat: number): string {
  const label = record.seats[seat]?.label ?? `P${seat + 1}`;
  return PLAIN.test(label) ? label : `\u2068${cut(label.replace(TURNS_DIRECTION, ""), 24)}\u2069`;
}

/** Who sits there, at most so long. */
export function playerOf(record: GameRecord, seat: number, most = 80): string {
  return cut(record.seats[seat]?.player ?? "", most);
}

/** The beginning of a text, never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A whole number as it is read. */
export function count(amount: number): string {
  return counts.format(amount);
}

/** A change of a balance, with its sign. */
export function signed(change: number): string {
  return `${change < 0 ? "−" : "+"}${count(Math.abs(change))}`;
}

/** The moment in words. */
export function name(record: GameRecord, seen: number): string {
  const game = fold(record);
  const moment = momentAt(game, seen);
  const round = game.rounds[moment.at];
  if (!round) return "Before the first round";
  const where = `Round ${round.round}`;
  switch (moment.kind) {
    case "message": {
      const said = round.messages.findLast((one) => one.seen <= seen)!;
      return `${where}, ${labelOf(record, said.seat)} ${said.text ? "speaks" : "keeps silent"}`;
    }
    case "contributions":
      return `${where}, all contribute`;
    case "share":
      return `${where}, the fund is shared out`;
    case "punishment": {
      const done = round.punishments.findLast((one) => one.seen <= seen)!;
      return `${where}, ${labelOf(record, done.punisher)} punishes ${labelOf(record, done.target)}`;
    }
    case "round end":
      return `${where} is over`;
    case "end":
      return "The game is over";
    default:
      return where;
  }
}
