// Records that have the results of sequences of questions, but not the questions. Such a record cannot be stepped
// through, so it is shown as a curve and a table.
import type { GameRecord } from "../record";
import type { Point } from "../scene";

export interface Curve {
  /** The part of the labels that differs from other curves. */
  name: string;
  points: { x: number; point: Point }[];
}

export interface Summary {
  /** The quantity of the axis, in words. */
  axis: string;
  /** The part that all labels have in common. */
  common: string;
  curves: Curve[];
}

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/;

/** True if a record has only results. */
export const isSummary = (record: GameRecord): boolean =>
  record.scene?.layout === "question" && record.told.some(({ point }) => point) && !record.told.some(({ asked, form }) => asked || form);

/** Return the points of a record as curves. The part of their labels with the most distinct numbers is the axis. Points
 * whose labels agree in all other parts form a curve. */
export function summaryOf(record: GameRecord): Summary {
  const points = record.told.flatMap(({ point }) => (point ? [point] : []));
  const parts = points.map(({ label }) => label.split(", "));
  const width = parts[0]?.length ?? 0;
  const even = parts.every((one) => one.length === width);
  const distinct = (place: number): number => new Set(parts.map((one) => one[place])).size;
  const numbered = even ? Array.from({ length: width }, (_, place) => place).filter((place) => parts.every((one) => NUMBER.test(one[place]!))) : [];
  const axis = numbered.sort((one, other) => distinct(other) - distinct(one))[0];
  if (axis === undefined || distinct(axis) < 2) return { axis: "", common: "", curves: [{ name: "", points: points.map((point) => ({ x: point.at, point })) }] };
  const others = Array.from({ length: width }, (_, place) => place).filter((place) => place !== axis);
  const curves = new Map<string, Curve["points"]>();
  points.forEach((point, k) => {
    const name = others.filter((place) => distinct(place) > 1).map((place) => parts[k]![place]).join(", ");
    const x = Number(NUMBER.exec(parts[k]![axis]!)![0].replaceAll(",", ""));
    curves.set(name, [...(curves.get(name) ?? []), { x, point }]);
  });
  return {
    axis: parts.at(-1)![axis]!.replace(NUMBER, "").trim(),
    common: others.filter((place) => distinct(place) === 1).map((place) => parts[0]![place]).join(", "),
    curves: [...curves].map(([name, some]) => ({ name, points: some.sort((one, other) => one.x - other.x) })),
  };
}
