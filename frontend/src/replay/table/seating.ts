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
 * little to its left, so that two seats that punish each other have two lines, side by side. */
export function arc(from: Place, to: Place, middle: Place, card: Size): Arc {
  const halfway = between(from, to, 0.5);
  const drawn = between(halfway, middle, 0.3);
  const bend = { x: drawn.x - (to.y - from.y) * 0.1, y: drawn.y + (to.x - from.x) * 0.1 };
  const gap = { width: card.width + 8, height: card.height + 8 };
  return { from: edge(from, bend, gap), bend, to: edge(to, bend, gap) };
}

/** A point on a bent line. */
export const along = ({ from, bend, to }: Arc, part: number): Place => between(between(from, bend, part), between(bend, to, part), part);

export const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y);
