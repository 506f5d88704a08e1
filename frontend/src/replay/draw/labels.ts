// Positions of labels at the ends of lines. Labels are as near to their lines as possible without touching each other.

/** Return the positions of labels, such that neighbours are at least `gap` apart and all are within [`top`, `bottom`].
 * The order of the wishes is kept; equal wishes keep the order of the list. If there are more labels than fit, the gap is
 * reduced. */
export function spread(wishes: number[], gap: number, top: number, bottom: number): number[] {
  const count = wishes.length;
  if (count === 0) return [];
  const room = Math.max(bottom - top, 0);
  const apart = count > 1 ? Math.min(gap, room / (count - 1)) : gap;
  const order = wishes.map((_, index) => index).sort((a, b) => wishes[a]! - wishes[b]! || a - b);

  // Labels that touch form a block. A block is placed where the mean distance of its labels from their wishes is zero.
  // Overlapping blocks are merged.
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

/** Return a name of at most `most` characters. It is cut in the middle, because names of models differ at their ends. */
export function shorten(name: string, most: number): string {
  const signs = [...name];
  if (signs.length <= most) return name;
  const tail = Math.floor((most - 1) / 3);
  return `${signs.slice(0, most - 1 - tail).join("")}…${signs.slice(signs.length - tail).join("")}`;
}
