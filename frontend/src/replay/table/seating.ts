// The positions of seats on an ellipse, and the lines between them, in pixels. Seats are at equal distances, clockwise
// from the top. Two seats are on the left and on the right, where they leave more space in the middle.
export interface Place {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

const ELLIPSE_STEPS = 720;

/** Return the centres of the seats around a table, for cards of a given size. */
export function around(seats: number, table: Size, seat: Size): Place[] {
  const across = (table.width - seat.width) / 2;
  const down = (table.height - seat.height) / 2;
  if (seats === 2) return [-across, across].map((away) => ({ x: table.width / 2 + away, y: table.height / 2 }));
  const points: Place[] = [];
  const lengths = [0];
  for (let step = 0; step <= ELLIPSE_STEPS; step++) {
    const angle = (2 * Math.PI * step) / ELLIPSE_STEPS;
    points.push({ x: table.width / 2 + across * Math.sin(angle), y: table.height / 2 - down * Math.cos(angle) });
    if (step) lengths.push(lengths[step - 1]! + distance(points[step - 1]!, points[step]!));
  }
  let step = 0;
  return Array.from({ length: seats }, (_, place) => {
    while (step < ELLIPSE_STEPS && lengths[step]! < (lengths[ELLIPSE_STEPS]! * place) / seats) step++;
    return points[step]!;
  });
}

/** Return a point between two places. */
export function between(from: Place, to: Place, part: number): Place {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** Return the point at which a line from the centre of a card towards another place leaves the card. */
export function edge(from: Place, to: Place, card: Size): Place {
  const across = Math.abs(to.x - from.x) || 1e-9;
  const down = Math.abs(to.y - from.y) || 1e-9;
  return between(from, to, Math.min(card.width / 2 / across, card.height / 2 / down, 1));
}

export interface Arc {
  from: Place;
  bend: Place;
  to: Place;
}

/** Return a curved line from one card to another. The line bends towards the middle of the table, and a little to the
 * middle's left, so that two seats that punish each other have separate lines. If it crosses an area in `taken`, other
 * bends are tried. */
export function arc(from: Place, to: Place, middle: Place, card: Size, taken: readonly Box[] = []): Arc {
  const halfway = between(from, to, 0.5);
  const gap = { width: card.width + 8, height: card.height + 8 };
  const bendLine = ([inward, aside]: readonly [number, number]): Arc => {
    const drawn = between(halfway, middle, inward);
    const bend = { x: drawn.x - (to.y - from.y) * aside, y: drawn.y + (to.x - from.x) * aside };
    return { from: edge(from, bend, gap), bend, to: edge(to, bend, gap) };
  };
  let best = bendLine(BENDS[0]!);
  let least = overlap(best, taken);
  for (const how of BENDS.slice(1)) {
    if (!least) break;
    const candidate = bendLine(how);
    const over = overlap(candidate, taken);
    if (over < least) [best, least] = [candidate, over];
  }
  return best;
}

/** The bends of a line towards the middle and to its left. The first is the usual bend, and the others are alternatives. */
const BENDS: readonly (readonly [number, number])[] = [
  [0.3, 0.1], [0.3, 0.2], [0.3, -0.1], [0.1, 0.1], [0, 0.1], [0.3, 0.3], [0.3, -0.2], [0.3, 0.4], [0.3, -0.3], [0, 0.25], [0, -0.15], [0.6, 0.1],
  [0.3, 0.5], [0.3, -0.4], [0.3, 0.65], [0.3, -0.55], [0.3, 0.8], [0.3, -0.7], [0.6, 0.5], [0.6, -0.5], [1, 0.6], [1, -0.6],
];
const POINTS = 40;
/** The minimum distance of lines from boxes. */
const CLEARANCE = 3;

/** Return the number of points of a line that are on boxes. */
function overlap(line: Arc, taken: readonly Box[]): number {
  let over = 0;
  for (let step = 0; step <= POINTS; step++) {
    const { x, y } = along(line, step / POINTS);
    over += Number(taken.some((box) => x > box.left - CLEARANCE && x < box.right + CLEARANCE && y > box.top - CLEARANCE && y < box.bottom + CLEARANCE));
  }
  return over;
}

/** Return a point on a bent line. */
export const along = ({ from, bend, to }: Arc, part: number): Place => between(between(from, bend, part), between(bend, to, part), part);

export const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y);

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Return the box of this size around a centre. */
export const boxAt = ({ x, y }: Place, { width, height }: Size): Box => ({ left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 });

/** True if two boxes are at least `gap` apart. */
export const apart = (one: Box, other: Box, gap = 0): boolean =>
  one.right + gap <= other.left || other.right + gap <= one.left || one.bottom + gap <= other.top || other.bottom + gap <= one.top;

/** The gap between the cards and the middle. */
const GAP = 8;
/** The minimum size of the middle. */
const MIN_MIDDLE: Size = { width: 184, height: 104 };

/** Return the largest box around the middle of a table that touches no card and is no wider than `widest`. */
export function freeArea(places: Place[], middle: Place, card: Size, table: Size, widest: number): Size {
  const half = places.map(({ x, y }) => ({ across: Math.abs(x - middle.x) - card.width / 2 - GAP, down: Math.abs(y - middle.y) - card.height / 2 - GAP }));
  let best: Size = { width: 0, height: 0 };
  for (const across of [widest / 2, ...half.map((one) => one.across)]) {
    if (across <= 0 || across > widest / 2 || across > table.width / 2) continue;
    // The height of the box is not limited by cards that are further out than the box.
    const down = Math.min(table.height / 2, ...half.filter((one) => one.across < across).map((one) => one.down));
    if (down > 0 && across * down > (best.width * best.height) / 4) best = { width: 2 * across, height: 2 * down };
  }
  return best;
}

/** True if this number of cards fits around a table and leaves space in its middle. */
export function fits(seats: number, table: Size, card: Size, scale: number): boolean {
  const places = around(seats, table, card);
  const boxes = places.map((place) => boxAt(place, card));
  if (boxes.some((one, place) => boxes.slice(place + 1).some((other) => !apart(one, other, 4)))) return false;
  const left = freeArea(places, { x: table.width / 2, y: table.height / 2 }, card, table, MAX_SPEECH_WIDTH * scale);
  return left.width >= MIN_MIDDLE.width * scale && left.height >= MIN_MIDDLE.height * scale;
}

/** The maximum width of a message, for readability. */
export const MAX_SPEECH_WIDTH = 384;

/** The positions along its line that are tried for a label, in order. */
const TRIES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.74, 0.26, 0.82, 0.18, 0.88, 0.12];

/** Return the positions of labels on their lines. A label touches neither a card nor the middle nor another label. The
 * position is null for a label without a place. Earlier labels are placed first. */
export function placeLabels(lines: { at: (part: number) => Place; size: Size; first?: number }[], taken: Box[]): (Place | null)[] {
  const boxes = taken.slice();
  return lines.map(({ at, size, first }) => {
    for (const part of first === undefined ? TRIES : [first, ...TRIES]) {
      const place = at(part);
      const box = boxAt(place, size);
      if (boxes.every((other) => apart(box, other, 1))) {
        boxes.push(box);
        return place;
      }
    }
    return null;
  });
}
