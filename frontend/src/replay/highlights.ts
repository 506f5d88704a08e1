// The key moments of a game. Some are marked by the game itself. Others are found from the effects: the largest
// punishment, changes of the lead, exclusions, ruins and comebacks.
import { isOut, ranks, seatIn, valueIn, winnersAt, type Folded } from "./fold";
import type { GameRecord } from "./record";
import type { Tone } from "./scene";
import { count, labelOf, formatQuantity } from "./words";
import { capital } from "../lib/format";

/** The kinds of key moments. Each has its own sign. */
export type Kind = "punishment" | "promise" | "lead" | "exclusion" | "ruin" | "comeback" | "other";

export interface Highlight {
  /** The number of events at the key moment. */
  at: number;
  kind: Kind;
  title: string;
  text: string;
  tone: Tone;
}

/** The largest number of key moments of one kind. Only the most important ones are used. */
const MAX_PER_KIND = 5;

/** Return all key moments of a record so far, in order. */
export function highlightsOf(record: GameRecord, fold: Folded): Highlight[] {
  const { scene } = record;
  if (!scene) return [];
  const moments = [...markedMoments(fold), ...largest(record, fold), ...exclusions(record, fold)];
  if (scene.final && fold.turns.length > 2) moments.push(...leads(record, fold, scene.final), ...ruins(record, fold, scene.final), ...comebacks(record, fold, scene.final));
  return moments.sort((one, other) => one.at - other.at);
}

function markedMoments(fold: Folded): Highlight[] {
  return fold.marks.flatMap(({ at, text, tone, kind }) => (kind ? [{ at, kind: kind.startsWith("promise") ? "promise" : "other", title: capital(kind), text, tone } as const] : []));
}

/** Return the largest transfer between seats for each kind of transfer that takes from the target. */
function largest(record: GameRecord, fold: Folded): Highlight[] {
  const most = new Map<string, Highlight & { amount: number }>();
  record.told.slice(0, fold.read).forEach((telling, place) => {
    for (const effect of telling.effects ?? []) {
      if (effect.do !== "transfer" || typeof effect.source !== "number" || typeof effect.target !== "number" || typeof effect.amount !== "number") continue;
      const flow = record.scene!.flows?.[effect.kind ?? ""];
      if (!flow?.takes || effect.amount <= (most.get(effect.kind ?? "")?.amount ?? 0)) continue;
      const text = `${where(record, telling.turn)}${labelOf(record, effect.source)} takes ${count(effect.amount)} from ${labelOf(record, effect.target)}`;
      most.set(effect.kind ?? "", { at: place + 1, kind: "punishment", title: `Largest ${flow.title.toLowerCase()}`, text, tone: "bad", amount: effect.amount });
    }
  });
  return [...most.values()].map(({ amount: _, ...one }) => one);
}

function exclusions(record: GameRecord, fold: Folded): Highlight[] {
  return fold.left.flatMap((at, seat) =>
    at === null || at === 0 ? [] : [{ at, kind: "exclusion", title: "Exclusion", text: `${where(record, record.told[at - 1]?.turn)}${labelOf(record, seat)} is out`, tone: "bad" } as const]);
}

/** Return the turns with a new sole leader. The turns that begin the longest leads come first. */
function leads(record: GameRecord, fold: Folded, final: string): Highlight[] {
  const changes: { turn: number; from: number; to: number; lasts: number }[] = [];
  let leader: number | null = null;
  for (let turn = 1; turn < fold.turns.length; turn++) {
    const now = soleLeader(record, fold, final, turn);
    const last = changes.at(-1);
    if (last) last.lasts = turn - last.turn;
    if (now === null || now === leader) continue;
    if (leader !== null) changes.push({ turn, from: leader, to: now, lasts: 1 });
    leader = now;
  }
  const longest = changes.slice().sort((one, other) => other.lasts - one.lasts || one.turn - other.turn).slice(0, MAX_PER_KIND);
  return longest.map(({ turn, from, to }) => ({ at: fold.turns[turn]!, kind: "lead", title: "Turn of lead", text: `${where(record, turn)}${labelOf(record, to)} overtakes ${labelOf(record, from)}`, tone: "gold" }));
}

function soleLeader(record: GameRecord, fold: Folded, final: string, turn: number): number | null {
  const values = valueIn(fold, final, turn);
  if (!Array.isArray(values)) return null;
  const first = ranks(values, record.scene!.better).flatMap((rank, seat) => (rank === 1 && values[seat] !== null ? [seat] : []));
  return first.length === 1 ? first[0]! : null;
}

/** Return the seats that have nothing left at the end of a turn. */
function ruins(record: GameRecord, fold: Folded, final: string): Highlight[] {
  if (record.scene!.better === "lower") return [];
  const moments: Highlight[] = [];
  for (let seat = 0; seat < fold.seats && moments.length < MAX_PER_KIND; seat++) {
    for (let turn = 1; turn < fold.turns.length; turn++) {
      const [before, now] = [seatIn(fold, final, turn - 1, seat), seatIn(fold, final, turn, seat)];
      if (before === null || now === null || before <= 0 || now > 0) continue;
      const left = formatQuantity(record.scene!.quantities?.[final], now);
      moments.push({ at: fold.turns[turn]!, kind: "ruin", title: "Ruin", text: `${where(record, turn)}${labelOf(record, seat)} is left with ${left}`, tone: "bad" });
      break;
    }
  }
  return moments;
}

/** Return the sole winner if it was alone in the last place at a quarter of the game or later. */
function comebacks(record: GameRecord, fold: Folded, final: string): Highlight[] {
  const winners = fold.ended ? winnersAt(record, fold, fold.read) : [];
  if (winners.length !== 1) return [];
  const [winner] = winners as [number];
  const played = fold.turns.length - 1;
  for (let turn = played - 1; turn >= Math.max(played / 4, 1); turn--) {
    const values = valueIn(fold, final, turn);
    if (!Array.isArray(values)) continue;
    const present = values.flatMap((value, seat) => (value === null || isOut(fold, seat, fold.turns[turn]!) ? [] : [seat]));
    const own = values[winner];
    if (present.length < 3 || own === null || own === undefined) continue;
    const worse = (other: number): boolean => (record.scene!.better === "lower" ? other < own : other > own);
    if (present.every((seat) => seat === winner || worse(values[seat]!)))
      return [{ at: fold.turns[played]!, kind: "comeback", title: "Comeback", text: `${labelOf(record, winner)}, last in ${record.scene!.clock || "turn"} ${turn}, wins`, tone: "gold" }];
  }
  return [];
}

const where = (record: GameRecord, turn: number | undefined): string => (record.scene?.clock && turn ? `${capital(record.scene.clock)} ${turn.toLocaleString("en")}: ` : "");
