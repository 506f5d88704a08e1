// Positions of labels at the ends of lines: as near to their lines as possible without touching each other.

/** The positions of labels, with neighbours at least `gap` apart and all within [`top`, `bottom`]. Keeps the order of the
 *  wishes; equal wishes keep the order of the list. With more labels than fit, the gap shrinks. */
export function spread(wishes: number[], gap: number, top: number, bottom: number): number[] {
  const count = wishes.length;
  if (count === 0) return [];
  const room = Math.max(bottom - top, 0);
  const apart = count > 1 ? Math.min(gap, room / (count - 1)) : gap;
  const order = wishes.map((_, index) => index).sort((a, b) => wishes[a]! - wishes[b]! || a - b);

  // Blocks of touching labels. A block is placed where the mean distance of its labels to their wishes is zero, and
  // overlapping blocks are merged.
  const blocks: { first: number; size: number; at: number }[] = [];
  order.forEach((index, rank) => {
    const wish = Math.min(Math.max(wishes[index]!, top), bottom);
    blocks.push({ first: rank, size: 1, at: wish });
    while (blocks.length > 1) {
      const lower = blocks.at(-1)!;
      const upper = blocks.at(-2)!;
      if (upper.at + upper.size * apart <= lower.at) break;
      const size = upper.size + lower.size;
      const at = (upper.at * upper.size + (lower.at - upper.size * apart) * lower.size) / size;
      blocks.splice(-2, 2, { first: upper.first, size, at: Math.min(Math.max(at, top), bottom - (size - 1) * apart) });
    }
  });

  const heights = new Array<number>(count);
  for (const block of blocks)
    for (let k = 0; k < block.size; k++) heights[order[block.first + k]!] = block.at + k * apart;
  return heights;
}

/** A name of at most `most` characters, cut in its middle, as names of models differ at their ends. */
export function shorten(name: string, most: number): string {
  const signs = [...name];
  if (signs.length <= most) return name;
  const tail = Math.floor((most - 1) / 3);
  return `${signs.slice(0, most - 1 - tail).join("")}…${signs.slice(signs.length - tail).join("")}`;
}
