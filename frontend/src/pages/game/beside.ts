// The games before and after a game. Games of an experiment are numbered in the order of their starts: `punish-1.3` is
// the third game of `punish-1`.

export interface Adjacent {
  number: number;
  before: string | null;
  after: string | null;
}

/** Return the games before and after a game; null if its id has no number of this experiment. */
export function adjacentByNumber(id: string, experiment: string, total: number): Adjacent | null {
  const tail = id.startsWith(`${experiment}.`) ? id.slice(experiment.length + 1) : "";
  if (!/^\d{1,9}$/.test(tail)) return null;
  const number = Number(tail);
  return {
    number,
    before: number > 1 ? `${experiment}.${number - 1}` : null,
    after: number < total ? `${experiment}.${number + 1}` : null,
  };
}

/** Return the games before and after a game in a list of ids. */
export function adjacentInList(id: string, ids: readonly string[]): Adjacent & { total: number } {
  const place = ids.indexOf(id);
  return { number: place + 1, total: ids.length, before: ids[place - 1] ?? null, after: place < 0 ? null : (ids[place + 1] ?? null) };
}
