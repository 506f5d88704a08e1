// Records that hold what sequences of questions came to, and none of the questions: there is nothing to step through, so
// they are shown as a curve and a table.
import type { GameRecord } from "../record";
import type { Point } from "../scene";

export interface Curve {
  /** What its points have in common and others have not. */
  name: string;
  points: { x: number; point: Point }[];
}

export interface Summary {
  /** What changes along the axis, in words. */
  axis: string;
  /** What all points have in common. */
  common: string;
  curves: Curve[];
}

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/;

/** Whether a record has results alone. */
export const isSummary = (record: GameRecord): boolean =>
  record.scene?.layout === "question" && record.told.some(({ point }) => point) && !record.told.some(({ asked, form }) => asked || form);

/** The points of a record as curves: of the parts of their labels, the one with the most different numbers is the axis, and
 *  points that agree in all others are one curve. */
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
