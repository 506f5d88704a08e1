// What a game declares to be replayed: its moments, their names, and the stage that draws one of them.
import type { Component } from "svelte";

import type { GameRecord } from "./record";

/** A moment worth marking on the time axis. */
export interface Mark {
  /** How many events have been seen then; one of the stops. */
  at: number;
  text: string;
  tone: "gold" | "bad" | "plain";
}

export interface StageProps {
  record: GameRecord;
  /** How many events have been seen; always one of the view's stops. */
  seen: number;
  /** Whether the replay is playing, so that changes may be animated. */
  moving: boolean;
  /** Go to a moment: the first stop at or after so many events. */
  go: (seen: number) => void;
}

export interface GameView {
  /** What the game is called. */
  title: string;
  /** Moments a second that suit the game. */
  pace: number;
  /** Where a finished game opens; else at its beginning. */
  opens?: "end";
  /** Throw `BrokenRecord` where the events are not what the stage needs. May be called again as a game goes on. */
  check(record: GameRecord): void;
  /** The values that `seen` may take, ascending, beginning with 0: how many events have been seen. */
  stops(record: GameRecord): number[];
  /** Those stops with which a turn or round is complete, for steps over whole turns; else every stop is one. */
  turns?(record: GameRecord): number[];
  /** A moment in a few words: `Turn 12`, `Round 3, P2 speaks`. */
  name(record: GameRecord, seen: number): string;
  marks?(record: GameRecord): Mark[];
  Stage: Component<StageProps>;
}
