// The news of a Commons game in words.
import { asMoney, fixed, listed } from "../format";
import { seatName, type GameRecord } from "../record";
import type { Mark } from "../view";
import type { Fold, News } from "./fold";

export type Tone = Mark["tone"];

/** A piece of news as it stands in the feed. */
export interface Told {
  place: number;
  turn: number;
  title: string;
  text: string;
  tone: Tone;
}

/** At most so many votes are told one by one. */
const MOST_VOTES = 6;

/** The news in words; a vote that was cast just so the turn before is no news. */
export function tell(record: GameRecord, fold: Fold, from = 0): Told[] {
  const told: Told[] = [];
  for (let k = from; k < fold.news.length; k++) {
    const news = fold.news[k]!;
    if (news.event.event !== "vote_held" || !sameVote(fold, k)) told.push(tellOne(record, news));
  }
  return told;
}

function tellOne(record: GameRecord, { place, turn, event }: News): Told {
  const name = (seat: unknown): string => seatName(record, seat as number);
  const say = (title: string, text: string, tone: Tone): Told => ({ place, turn, title, text, tone });
  const synergy = (moves: string): string => {
    const { cooperation, synergy: next } = event as unknown as Record<string, number>;
    return `Cooperation ${fixed(cooperation!, 2)}; synergy ${moves} to ${fixed(next!, 2)}.`;
  };
  switch (event.event) {
    case "golden_age":
      return say("A golden age begins", synergy("rises"), "gold");
    case "erosion":
      return say("Erosion sets in", synergy("falls"), "bad");
    case "vote_held":
      return say("Vote", votes(event.votes as (number | null)[], name), "plain");
    case "seat_excluded":
      return say(`${name(event.seat)} is excluded`, `By ${event.votes} votes; it keeps its capital and is out from the next turn on.`, "bad");
    default: {
      const winners = event.winners as number[];
      const best = record.events[place]?.capitals;
      const held = Array.isArray(best) && typeof best[winners[0]!] === "number" ? ` with ${asMoney(best[winners[0]!] as number)}` : "";
      return say("The game ends", `${listed(winners.map(name))} ${winners.length > 1 ? "win" : "wins"}${held}.`, "gold");
    }
  }
}

/** Who voted against whom, by target. */
function votes(cast: (number | null)[], name: (seat: number) => string): string {
  const against = new Map<number, number[]>();
  cast.forEach((target, voter) => {
    if (target !== null) against.set(target, [...(against.get(target) ?? []), voter]);
  });
  const most = [...against].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
  const parts = most.slice(0, MOST_VOTES).map(([target, voters]) =>
    voters.length > 3 ? `${voters.length} seats against ${name(target)}` : `${listed(voters.map(name))} against ${name(target)}`,
  );
  if (most.length > MOST_VOTES) parts.push(`and against ${most.length - MOST_VOTES} more`);
  return `${parts.join("; ")}.`;
}

function sameVote(fold: Fold, k: number): boolean {
  const now = fold.news[k]!;
  for (let before = k - 1; before >= 0; before--) {
    const news = fold.news[before]!;
    if (news.turn < now.turn - 1) return false;
    if (news.event.event === "vote_held" && news.turn === now.turn - 1)
      return (news.event.votes as unknown[]).every((vote, voter) => vote === (now.event.votes as unknown[])[voter]);
  }
  return false;
}
