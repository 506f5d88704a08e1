// What came before a decision: what the player said, what it had promised, and what both sides had done to each other.
// Everything is taken from the tellings, so it needs no server and knows no game.
import { foldOf, momentTurn, turnOf } from "./fold";
import type { GameRecord } from "./record";
import type { Effect, Sentence, Telling } from "./scene";
import { momentStart } from "./transcript";
import { count, labelOf } from "./words";

/** A decision of a moment. */
export interface Decision {
  seat: number;
  /** The seat at which the decision is aimed. */
  target: number | null;
  words: string;
  turn: number;
  phase: string;
  /** The number of events at the decision. */
  at: number;
}

/** The calls of a model for one decision, as far as they are shown. */
export interface ModelCalls {
  seat: number;
  phase: string;
  calls: { reply: string | null; reasoning: string | null; prompt: { text: string }[] }[];
}

/** Something that happened earlier. */
export interface Before {
  at: number;
  turn: string;
  words: string;
}

export interface Why {
  /** The player's latest messages, up to the decision. */
  said: Before[];
  /** Sentences about the player's promises, up to the decision. */
  promised: { at: number; turn: string; sentence: Sentence }[];
  /** What the target had given to the middle, and what the two had taken from or given to each other. */
  before: Before[];
}

type Transfer = Extract<Effect, { do: "transfer" }>;
const MAX_SAID = 3;
const MAX_PROMISES = 4;
const MAX_BEFORE = 8;

/** Return the decisions of a moment: what seats paid, sent, took or chose. */
export function decisionsAt(record: GameRecord, seen: number): Decision[] {
  const first = momentStart(record, seen);
  const turn = turnOf(foldOf(record), seen);
  return record.told.slice(first, seen).flatMap((telling, place) => decisionsOf(record, telling, first + place + 1, turn));
}

function decisionsOf(record: GameRecord, telling: Telling, at: number, turn: number): Decision[] {
  const common = { turn, phase: telling.phase ?? "", at };
  return (telling.effects ?? []).flatMap((effect): Decision[] => {
    if (effect.do !== "transfer") return [];
    return givers(record, effect).map((seat) => ({ ...common, seat, target: typeof effect.target === "number" ? effect.target : null, words: wordsOf(record, effect, seat) }));
  });
}

/** Return the seats that decided on a transfer. What the middle pays is no decision. */
function givers(record: GameRecord, { source }: Transfer): number[] {
  if (source === "each") return record.seats.map((_, seat) => seat);
  return typeof source === "number" ? [source] : [];
}

const amountOf = ({ amount }: Transfer, seat: number): number => (Array.isArray(amount) ? (amount[seat] ?? 0) : amount);

function wordsOf(record: GameRecord, transfer: Transfer, seat: number): string {
  const amount = count(amountOf(transfer, seat));
  const who = labelOf(record, seat);
  if (typeof transfer.target !== "number") return `${who} pays ${amount}`;
  const target = labelOf(record, transfer.target);
  const cost = transfer.cost ? `spends ${count(transfer.cost)} and ` : "";
  return record.scene?.flows?.[transfer.kind ?? ""]?.takes ? `${who} ${cost}takes ${amount} from ${target}` : `${who} ${cost}gives ${amount} to ${target}`;
}

/** Return what came before a decision. */
export function whyOf(record: GameRecord, decision: Decision): Why {
  const why: Why = { said: [], promised: [], before: [] };
  record.told.slice(0, decision.at).forEach((telling, place) => {
    const at = place + 1;
    const turn = momentTurn(record, telling);
    for (const effect of telling.effects ?? []) {
      if (effect.do === "say" && effect.seat === decision.seat && effect.text) why.said.push({ at, turn, words: effect.text });
      else if (effect.do === "mark" && effect.kind?.startsWith("promise")) why.promised.push(...promisesOf(telling, effect.text, decision.seat).map((sentence) => ({ at, turn, sentence })));
      else if (effect.do === "transfer" && at < decision.at) why.before.push(...earlier(record, effect, decision).map((words) => ({ at, turn, words })));
    }
  });
  return { said: why.said.slice(-MAX_SAID), promised: why.promised.slice(-MAX_PROMISES), before: why.before.slice(-MAX_BEFORE) };
}

/** Return the sentences about a promise that name the seat. */
function promisesOf(telling: Telling, text: Sentence | undefined, seat: number): Sentence[] {
  const sentences = text?.length ? [text] : [telling.title ?? [], ...(telling.text ?? [])];
  return sentences.filter((sentence) => sentence.some((span) => typeof span !== "string" && "seat" in span && span.seat === seat));
}

/** Return an earlier transfer in words if it shows what the target had done, or what the two had done to each other. */
function earlier(record: GameRecord, transfer: Transfer, { seat, target }: Decision): string[] {
  const about = target ?? seat;
  if (typeof transfer.target === "number") {
    const pair = [transfer.source, transfer.target];
    const joins = target === null ? transfer.target === seat && typeof transfer.source === "number" : pair.includes(seat) && pair.includes(target);
    return joins && typeof transfer.source === "number" ? [wordsOf(record, transfer, transfer.source)] : [];
  }
  if (!givers(record, transfer).includes(about)) return [];
  const others = givers(record, transfer).filter((one) => one !== about);
  const mean = others.reduce((sum, one) => sum + amountOf(transfer, one), 0) / Math.max(others.length, 1);
  return [`${wordsOf(record, transfer, about)}${others.length ? `; the others ${count(mean)} on average` : ""}`];
}
