// Contribute & Punish for the replay: every event is a moment, a round is a turn, punishments are marked.
import type { GameRecord } from "../record";
import type { GameView, Mark } from "../view";
import { check } from "./check";
import { fold } from "./fold";
import Stage from "./Stage.svelte";
import { labelOf, name } from "./words";

function stops(record: GameRecord): number[] {
  return fold(record).moments.map((_, seen) => seen);
}

function marks(record: GameRecord): Mark[] {
  const game = fold(record);
  const over: Mark[] = game.ends.map((at, place) => ({ at, text: `Round ${game.rounds[place]!.round} is over`, tone: "plain" }));
  const punished: Mark[] = game.rounds.flatMap(({ round, punishments }) =>
    punishments.map(({ punisher, target, seen }) => ({
      at: seen,
      text: `Round ${round}: ${labelOf(record, punisher)} punishes ${labelOf(record, target)}`,
      tone: "bad",
    })),
  );
  return [...over, ...punished];
}

export const punish: GameView = {
  title: "Contribute & Punish",
  pace: 1,
  check,
  stops,
  turns: (record) => fold(record).ends,
  name,
  marks,
  Stage,
};
