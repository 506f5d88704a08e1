// The Commons in the replay: one moment a turn.
import { asCount } from "../format";
import type { GameView } from "../view";
import { foldOf, turnOf } from "./fold";
import Stage from "./Stage.svelte";
import { tell } from "./words";

export const commons: GameView = {
  title: "The Commons",
  pace: 10,
  check: foldOf,
  stops: (record) => foldOf(record).stops,
  turns: (record) => {
    // A step over turns would be a step over moments; ten at a time are more use.
    const { stops } = foldOf(record);
    return stops.filter((_, turn) => turn % 10 === 0 || turn === stops.length - 1);
  },
  name: (record, seen) => {
    const fold = foldOf(record);
    const turn = turnOf(fold, seen);
    if (turn === 0) return "Before the first turn";
    return fold.ended && turn === fold.turns.length ? `Turn ${asCount(turn)}, the last` : `Turn ${asCount(turn)}`;
  },
  marks: (record) => {
    const fold = foldOf(record);
    return tell(record, fold)
      .filter(({ tone }) => tone !== "plain")
      .map(({ turn, title, text, tone }) => ({ at: fold.stops[turn]!, text: `Turn ${turn}: ${title}. ${text}`, tone }));
  },
  Stage,
};
