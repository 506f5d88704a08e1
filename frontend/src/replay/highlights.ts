// The moments of a game that a reader looks for first: what its game marks as one, and what follows from effects alone: the
// largest punishment, who takes the lead, who has to leave, who is ruined, who comes back from the last place.
import { isOut, ranks, seatIn, valueIn, winnersAt, type Folded } from "./fold";
import type { GameRecord } from "./record";
import type { Tone } from "./scene";
import { count, labelOf, shownAs } from "./words";
import { capital } from "../lib/format";

/** What kinds there are; each has a sign of its own. */
export type Kind = "punishment" | "promise" | "lead" | "exclusion" | "ruin" | "comeback" | "other";

export interface Highlight {
  /** How many events have been seen then. */
  at: number;
  kind: Kind;
  title: string;
  text: string;
  tone: Tone;
}

/** Of one kind no more than these, the weightiest. */
const MOST = 5;

/** All key moments of a record as far as it goes, in order. */
export function highlightsOf(record: GameRecord, fold: Folded): Highlight[] {
  const { scene } = record;
  if (!scene) return [];
  const found = [...marked(fold), ...largest(record, fold), ...exclusions(record, fold)];
  if (scene.final && fold.turns.length > 2) found.push(...leads(record, fold, scene.final), ...ruins(record, fold, scene.final), ...comebacks(record, fold, scene.final));
  return found.sort((one, other) => one.at - other.at);
}

function marked(fold: Folded): Highlight[] {
  return fold.marks.flatMap(({ at, text, tone, kind }) => (kind ? [{ at, kind: kind.startsWith("promise") ? "promise" : "other", title: capital(kind), text, tone } as const] : []));
}

/** The transfer between seats that took the most, of each kind that takes. */
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

/** Turns after which somebody else is alone in the lead, those first after which the lead was held longest. */
function leads(record: GameRecord, fold: Folded, final: string): Highlight[] {
  const changes: { turn: number; from: number; to: number; lasts: number }[] = [];
  let leader: number | null = null;
  for (let turn = 1; turn < fold.turns.length; turn++) {
    const now = alone(record, fold, final, turn);
    const last = changes.at(-1);
    if (last) last.lasts = turn - last.turn;
    if (now === null || now === leader) continue;
    if (leader !== null) changes.push({ turn, from: leader, to: now, lasts: 1 });
    leader = now;
  }
  const kept = changes.slice().sort((one, other) => other.lasts - one.lasts || one.turn - other.turn).slice(0, MOST);
  return kept.map(({ turn, from, to }) => ({ at: fold.turns[turn]!, kind: "lead", title: "Turn of lead", text: `${where(record, turn)}${labelOf(record, to)} overtakes ${labelOf(record, from)}`, tone: "gold" }));
}

function alone(record: GameRecord, fold: Folded, final: string, turn: number): number | null {
  const values = valueIn(fold, final, turn);
  if (!Array.isArray(values)) return null;
  const first = ranks(values, record.scene!.better).flatMap((rank, seat) => (rank === 1 && values[seat] !== null ? [seat] : []));
  return first.length === 1 ? first[0]! : null;
}

/** Who had something and has nothing left at the end of a turn. */
function ruins(record: GameRecord, fold: Folded, final: string): Highlight[] {
  if (record.scene!.better === "lower") return [];
  const found: Highlight[] = [];
  for (let seat = 0; seat < fold.seats && found.length < MOST; seat++) {
    for (let turn = 1; turn < fold.turns.length; turn++) {
      const [before, now] = [seatIn(fold, final, turn - 1, seat), seatIn(fold, final, turn, seat)];
      if (before === null || now === null || before <= 0 || now > 0) continue;
      const left = shownAs(record.scene!.quantities?.[final], now);
      found.push({ at: fold.turns[turn]!, kind: "ruin", title: "Ruin", text: `${where(record, turn)}${labelOf(record, seat)} is left with ${left}`, tone: "bad" });
      break;
    }
  }
  return found;
}

/** Who wins alone, and was alone in the last place after a quarter of the game or later. */
function comebacks(record: GameRecord, fold: Folded, final: string): Highlight[] {
  const winners = fold.ended ? winnersAt(record, fold, fold.read) : [];
  if (winners.length !== 1) return [];
  const [winner] = winners as [number];
  const played = fold.turns.length - 1;
  for (let turn = played - 1; turn >= Math.max(played / 4, 1); turn--) {
    const values = valueIn(fold, final, turn);
    if (!Array.isArray(values)) continue;
    const there = values.flatMap((value, seat) => (value === null || isOut(fold, seat, fold.turns[turn]!) ? [] : [seat]));
    const mine = values[winner];
    if (there.length < 3 || mine === null || mine === undefined) continue;
    const worse = (other: number): boolean => (record.scene!.better === "lower" ? other < mine : other > mine);
    if (there.every((seat) => seat === winner || worse(values[seat]!)))
      return [{ at: fold.turns[played]!, kind: "comeback", title: "Comeback", text: `${labelOf(record, winner)}, last in ${record.scene!.clock || "turn"} ${turn}, wins`, tone: "gold" }];
  }
  return [];
}

const where = (record: GameRecord, turn: number | undefined): string => (record.scene?.clock && turn ? `${capital(record.scene.clock)} ${turn.toLocaleString("en")}: ` : "");
