// A stated task of the battery in the replay: one moment an item.
import { asCount } from "../format";
import type { GameRecord } from "../record";
import type { GameView } from "../view";
import { checkItems, isItem } from "./items";
import Stage from "./Stage.svelte";

/** What ends with an item, a sequence or the task, belongs to its moment. */
function stops({ events }: GameRecord): number[] {
  const found = [0];
  events.forEach((event, place) => {
    if (isItem(event) || found.length === 1) found.push(place + 1);
    else found[found.length - 1] = place + 1;
  });
  return found;
}

export const stated: GameView = {
  title: "A task of the battery",
  pace: 5,
  opens: "end",
  check: checkItems,
  stops,
  name: (record, seen) => {
    if (seen === 0) return "Before the first item";
    const asked = record.events.slice(0, seen).findLast(isItem);
    return asked ? `Item ${asCount(asked.number)}` : "Before the first item";
  },
  Stage,
};
