// Where seats are around the table: on an ellipse, at equal distances along it, the first at the top, clockwise; and the
// lines between them. All in pixels.
export interface Place {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

const FINE = 720;

/** The middles of so many seats of a given size around a table. */
export function around(seats: number, table: Size, seat: Size): Place[] {
  const across = (table.width - seat.width) / 2;
  const down = (table.height - seat.height) / 2;
  const points: Place[] = [];
  const lengths = [0];
  for (let step = 0; step <= FINE; step++) {
    const angle = (2 * Math.PI * step) / FINE;
    points.push({ x: table.width / 2 + across * Math.sin(angle), y: table.height / 2 - down * Math.cos(angle) });
    if (step) lengths.push(lengths[step - 1]! + distance(points[step - 1]!, points[step]!));
  }
  let step = 0;
  return Array.from({ length: seats }, (_, place) => {
    while (step < FINE && lengths[step]! < (lengths[FINE]! * place) / seats) step++;
    return points[step]!;
  });
}

/** A point on the way from one place to another. */
export function between(from: Place, to: Place, part: number): Place {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** Where a line from the middle of a card towards another place leaves the card. */
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

/** A bent line from one card to another. It bends towards the middle of the table, clear of the cards between, and a
 * little to its left, so that two seats that punish each other have two lines, side by side; where that would lead over what
 * is `taken`, it bends otherwise. */
export function arc(from: Place, to: Place, middle: Place, card: Size, taken: readonly Box[] = []): Arc {
  const halfway = between(from, to, 0.5);
  const gap = { width: card.width + 8, height: card.height + 8 };
  const bent = ([inward, aside]: readonly [number, number]): Arc => {
    const drawn = between(halfway, middle, inward);
    const bend = { x: drawn.x - (to.y - from.y) * aside, y: drawn.y + (to.x - from.x) * aside };
    return { from: edge(from, bend, gap), bend, to: edge(to, bend, gap) };
  };
  let best = bent(BENDS[0]!);
  let least = covered(best, taken);
  for (const how of BENDS.slice(1)) {
    if (!least) break;
    const tried = bent(how);
    const over = covered(tried, taken);
    if (over < least) [best, least] = [tried, over];
  }
  return best;
}

/** How far a line bends towards the middle, and to its left: the usual way, and what is tried where that leads over a card or
 * over what stands in the middle. */
const BENDS: readonly (readonly [number, number])[] = [
  [0.3, 0.1], [0.3, 0.2], [0.3, -0.1], [0.1, 0.1], [0, 0.1], [0.3, 0.3], [0.3, -0.2], [0.3, 0.4], [0.3, -0.3], [0, 0.25], [0, -0.15], [0.6, 0.1],
  [0.3, 0.5], [0.3, -0.4], [0.3, 0.65], [0.3, -0.55], [0.3, 0.8], [0.3, -0.7], [0.6, 0.5], [0.6, -0.5], [1, 0.6], [1, -0.6],
];
const POINTS = 40;
/** Lines keep so far from what they lead past. */
const CLEAR = 3;

/** How much of a line lies on boxes. */
function covered(line: Arc, taken: readonly Box[]): number {
  let over = 0;
  for (let step = 0; step <= POINTS; step++) {
    const { x, y } = along(line, step / POINTS);
    over += Number(taken.some((box) => x > box.left - CLEAR && x < box.right + CLEAR && y > box.top - CLEAR && y < box.bottom + CLEAR));
  }
  return over;
}

/** A point on a bent line. */
export const along = ({ from, bend, to }: Arc, part: number): Place => between(between(from, bend, part), between(bend, to, part), part);

export const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y);

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What a thing of this size takes up around its middle. */
export const boxAt = ({ x, y }: Place, { width, height }: Size): Box => ({ left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 });

/** Whether two boxes leave a gap between them. */
export const apart = (one: Box, other: Box, gap = 0): boolean =>
  one.right + gap <= other.left || other.right + gap <= one.left || one.bottom + gap <= other.top || other.bottom + gap <= one.top;

/** Free between the cards and what stands among them. */
const GAP = 8;
/** What is said, or stands in the middle, needs at least so much room. */
const LEAST: Size = { width: 184, height: 104 };

/** The largest box around the middle of a table, no wider than `widest`, that keeps clear of all cards. */
export function free(places: Place[], middle: Place, card: Size, table: Size, widest: number): Size {
  const half = places.map(({ x, y }) => ({ across: Math.abs(x - middle.x) - card.width / 2 - GAP, down: Math.abs(y - middle.y) - card.height / 2 - GAP }));
  let best: Size = { width: 0, height: 0 };
  for (const across of [widest / 2, ...half.map((one) => one.across)]) {
    if (across <= 0 || across > widest / 2 || across > table.width / 2) continue;
    // A card that begins further out than the box is beside it, however high the box is.
    const down = Math.min(table.height / 2, ...half.filter((one) => one.across < across).map((one) => one.down));
    if (down > 0 && across * down > (best.width * best.height) / 4) best = { width: 2 * across, height: 2 * down };
  }
  return best;
}

/** Whether so many cards can sit around a table and leave room in its middle. */
export function fits(seats: number, table: Size, card: Size, scale: number): boolean {
  const places = around(seats, table, card);
  const boxes = places.map((place) => boxAt(place, card));
  if (boxes.some((one, place) => boxes.slice(place + 1).some((other) => !apart(one, other, 4)))) return false;
  const left = free(places, { x: table.width / 2, y: table.height / 2 }, card, table, WIDEST * scale);
  return left.width >= LEAST.width * scale && left.height >= LEAST.height * scale;
}

/** What is said is no wider than can be read easily. */
export const WIDEST = 384;

/** Along a line, where its label is tried first, next, and so on. */
const TRIES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.74, 0.26, 0.82, 0.18, 0.88, 0.12];

/** Where labels stand on their lines so that none touches a card, the middle or another label; null for one that finds no
 *  place. Those that come first choose first. */
export function labelled(lines: { at: (part: number) => Place; size: Size; first?: number }[], taken: Box[]): (Place | null)[] {
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
