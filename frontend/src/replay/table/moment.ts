// The data of a table at one moment. It is looked up once for all parts of the drawing.
import { numberAt, ranks, seatsAt, tellingAt, turnOf, winnersAt, type Folded } from "../fold";
import { placeOf } from "../moments";
import type { GameRecord } from "../record";
import type { Flow, Quantity, Scene, Telling, Transfer } from "../scene";

/** A transfer of this turn, with the number of events at which it happened. */
export interface TransferAt {
  seen: number;
  transfer: Transfer;
  flow: Flow;
}

export interface Moment {
  scene: Scene;
  telling: Telling;
  turn: number;
  /** The tellings of this turn so far, each with the number of its events. */
  sofar: { seen: number; telling: Telling }[];
  quantity: Quantity;
  held: (number | null)[];
  changes: number[];
  ranks: number[];
  winners: number[];
  /** The seat that speaks, and its text. */
  said: { seat: number; text: string } | null;
  /** True if seats are paying into the middle. */
  paying: boolean;
  /** The current transfers between the seats and the middle. */
  bands: TransferAt[];
  /** The transfers between seats in this turn so far. */
  arrows: TransferAt[];
  /** Notes on the seats' cards. */
  notes: { title: string; quantity: Quantity; values: (number | null)[] }[];
  centre: number | null;
}

const PLAIN_FLOW: Flow = { title: "" };

/** Return the moment at a stop. */
export function momentOf(record: GameRecord, fold: Folded, seen: number): Moment {
  const scene = record.scene!;
  const card = scene.card!;
  const telling = tellingAt(record, seen);
  const turn = turnOf(fold, seen);
  const first = turn > 0 ? fold.begins[turn]! : 1;
  const sofar = record.told.slice(first - 1, seen).map((one, place) => ({ seen: first + place, telling: one }));
  const held = seatsAt(fold, card.quantity, seen);
  const said = telling.effects?.findLast((effect) => effect.do === "say");
  const transfersOf = (one: Telling, at: number): TransferAt[] =>
    (one.effects ?? []).flatMap((effect) => (effect.do === "transfer" ? [{ seen: at, transfer: effect, flow: scene.flows?.[effect.kind ?? ""] ?? PLAIN_FLOW }] : []));
  const bands = transfersOf(telling, seen).filter(({ flow, transfer }) => flow.drawn !== "arrow" && (isMiddle(transfer.source) || isMiddle(transfer.target)));
  const arrows = sofar.flatMap(({ seen: at, telling: one }) => transfersOf(one, at)).filter(({ transfer }) => !isMiddle(transfer.source) && !isMiddle(transfer.target));
  return {
    scene, telling, turn, sofar, held,
    quantity: scene.quantities![card.quantity]!,
    changes: changes(fold, card.quantity, held, telling, turn, seen),
    ranks: ranks(held, scene.better),
    winners: winnersAt(record, fold, seen),
    said: said?.do === "say" ? said : null,
    paying: bands.some(({ transfer }) => transfer.target === "table"),
    bands, arrows,
    notes: (card.notes ?? []).map((note) => ({ title: note.title || scene.quantities![note.quantity]!.title, quantity: scene.quantities![note.quantity]!, values: seatsAt(fold, note.quantity, seen) })),
    centre: numberAt(fold, scene.centre?.quantity, seen),
  };
}

const isMiddle = (end: Transfer["source"]): boolean => end === "table" || end === "each";

/** Return the changes since the previous stop. If the turn is complete, return the changes over the whole turn. */
function changes(fold: Folded, name: string, held: (number | null)[], telling: Telling, turn: number, seen: number): number[] {
  const closes = telling.phase === "end" || telling.effects?.some((effect) => effect.do === "mark" && (effect.tone ?? "plain") === "plain");
  const before = seatsAt(fold, name, closes ? (fold.turns[turn - 1] ?? 0) : (fold.stops[placeOf(fold.stops, seen) - 1] ?? 0));
  return held.map((now, seat) => (now === null || before[seat] === null ? 0 : Math.round((now - before[seat]!) * 1e9) / 1e9));
}
