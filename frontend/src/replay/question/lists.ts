// The answers so far to questions that differ only in one number. They are shown as a list of choices with the
// switching point, or as a list of amounts. The current moment determines which list is shown.
import type { GameRecord } from "../record";
import type { AnswerList, Point } from "../scene";

export interface Rung {
  value: number;
  label: string;
  /** The position of the line's last answer among the events. */
  place: number;
  /** The number of times that each of the two options was chosen. */
  chosen: [number, number];
  /** True if the current answer belongs to this line. */
  now: boolean;
}
export interface Choices {
  kind: "choices";
  title: string;
  /** The quantity that changes from line to line. */
  axis: string;
  options: [string, string];
  rungs: Rung[];
}
export interface AmountRow {
  label: string;
  place: number;
  low: number;
  high: number;
  answers: number[];
  now: boolean;
}
export interface Amounts {
  kind: "amounts";
  title: string;
  rows: AmountRow[];
}
export type Answers = Choices | Amounts;

/** A point, with its position among the events. */
export interface PlacedPoint {
  point: Point;
  place: number;
}

/** Return all points among the first `seen` events. */
export function pointsOf(record: GameRecord, seen: number): PlacedPoint[] {
  return record.told.slice(0, seen).flatMap(({ point }, place) => (point ? [{ point, place }] : []));
}

/** Return the list to which the last of these points belongs, or null. */
export function answersOf(record: GameRecord, points: PlacedPoint[], seen: number): Answers | null {
  const now = points.findLast(({ place }) => place < seen && kindOf(record, place) !== "points");
  if (!now || record.told.slice(now.place + 1, seen).some(({ asked }) => asked)) return null;
  const list = record.scene!.lists?.[now.point.list];
  const alike = points.filter(({ point }) => point.list === now.point.list && (point.group ?? "") === (now.point.group ?? ""));
  if (!list || list.kind === "points") return null;
  return list.kind === "choices" ? choices(list, alike, now) : amounts(list, alike, now);
}

function kindOf(record: GameRecord, place: number): AnswerList["kind"] | undefined {
  return record.scene!.lists?.[record.told[place]?.point?.list ?? ""]?.kind;
}

function choices(list: AnswerList, points: PlacedPoint[], now: PlacedPoint): Choices | null {
  const options = (list.options ?? []) as [string, string];
  const rungs = new Map<number, Rung>();
  for (const { point, place } of points) {
    const rung = rungs.get(point.at) ?? { value: point.at, label: point.label, place, chosen: [0, 0], now: false };
    const option = options.indexOf(point.option ?? "");
    if (option >= 0) rung.chosen[option]! += 1;
    rungs.set(point.at, { ...rung, place, now: place === now.place || rung.now });
  }
  if (rungs.size < 2 || options.length !== 2) return null;
  const sorted = [...rungs.values()].sort((one, other) => one.value - other.value);
  return { kind: "choices", title: list.title || (now.point.title ?? ""), axis: list.axis ?? "", options, rungs: sorted };
}

function amounts(list: AnswerList, points: PlacedPoint[], now: PlacedPoint): Amounts | null {
  const rows = new Map<string, AmountRow & { at: number }>();
  for (const { point, place } of points) {
    const row = rows.get(point.label) ?? { label: point.label, at: point.at, place, low: point.low ?? 0, high: point.high ?? 1, answers: [], now: false };
    if (point.amount !== undefined && point.amount !== null) row.answers.push(point.amount);
    rows.set(point.label, { ...row, place, now: place === now.place || row.now });
  }
  if (rows.size === 0) return null;
  return { kind: "amounts", title: list.title || (now.point.title ?? ""), rows: [...rows.values()].sort((one, other) => one.at - other.at) };
}

/** Return the index of the option that was chosen most often on a line; null for a tie. */
export const majority = ({ chosen: [first, second] }: Rung): 0 | 1 | null => first === second ? null : first > second ? 0 : 1;

/** Return the lines after which the choice switches. Consistent choices switch once. Lines without a majority are
 * skipped. */
export function switches(rungs: Rung[]): { after: number; from: Rung; to: Rung }[] {
  const result: { after: number; from: Rung; to: Rung }[] = [];
  let last: { rung: Rung; choice: 0 | 1 } | null = null;
  rungs.forEach((rung, place) => {
    const choice = majority(rung);
    if (choice === null) return;
    if (last && last.choice !== choice) result.push({ after: place - 1, from: last.rung, to: rung });
    last = { rung, choice };
  });
  return result;
}
