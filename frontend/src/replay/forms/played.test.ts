import { describe, expect, it } from "vitest";

import type { GameEvent, GameRecord } from "../record";
import { momentName } from "./names";
import { playedPicture } from "./played";

function record(game: string, rules: Record<string, unknown>, events: GameEvent[], seats = 2): GameRecord {
  const sat = Array.from({ length: seats }, (_, seat) => ({ seat, label: `P${seat + 1}`, player: `player ${seat + 1}` }));
  return { game, rules, events, answers: [], seats: sat } as unknown as GameRecord;
}

const ULTIMATUM = record("ultimatum", { pot: 100 }, [
  { event: "offered", pot: 100, offer: 30 },
  { event: "responded", accepted: false },
  { event: "game_ended", payoffs: [0, 0], winners: [0, 1] },
]);
const TRUST = record("trust", { endowment: 100, multiplier: 3 }, [
  { event: "sent", endowment: 100, amount: 60, received: 180 },
  { event: "returned", amount: 70 },
]);
const CENTIPEDE = record("centipede", { payoffs: [[4, 1], [8, 2], [16, 4]], end: [8, 32], scale: 10 }, [
  { event: "moved", node: 1, seat: 0, move: "pass" },
  { event: "moved", node: 2, seat: 1, move: "take" },
]);

describe("the picture of a played game", () => {
  it("grows with what has been seen, from the rules on", () => {
    expect(playedPicture(ULTIMATUM, 0)).toMatchObject({ form: "split", pot: 100, offer: null, accepted: null, consent: true });
    expect(playedPicture(ULTIMATUM, 1)).toMatchObject({ offer: 30, accepted: null });
    expect(playedPicture(ULTIMATUM, 3)).toMatchObject({ offer: 30, accepted: false });
    expect(playedPicture(TRUST, 0)).toMatchObject({ form: "flow", endowment: 100, multiplier: 3, sent: null, received: null, returned: null });
    expect(playedPicture(TRUST, 1)).toMatchObject({ sent: 60, received: 180, returned: null });
    expect(playedPicture(TRUST, 2)).toMatchObject({ sent: 60, received: 180, returned: 70 });
  });
  it("has what a node pays by seat, whoever moves there, at the scale of the game", () => {
    const picture = playedPicture(CENTIPEDE, 2);
    expect(picture).toMatchObject({ form: "tree", nodes: [[40, 10], [20, 80], [160, 40]], end: [80, 320], moves: ["pass", "take"] });
  });
  it("marks the cell that two chose", () => {
    const hunt = record("stag_hunt", { stag: 100, hare: 50 }, [{ event: "hunted", choices: ["stag", "hare"] }]);
    const picture = playedPicture(hunt, 1);
    expect(picture).toMatchObject({ form: "matrix", row: 0, column: 1 });
    expect(picture?.form === "matrix" && picture.payoffs[0][1]).toEqual([0, 50]);
    const coins = record("matching_pennies", { prize: 7 }, [{ event: "shown", sides: ["tails", "tails"] }]);
    const shown = playedPicture(coins, 1);
    expect(shown?.form === "matrix" && shown.payoffs[shown.row!]![shown.column!]).toEqual([7, 0]);
  });
  it("scales claims as they are paid", () => {
    const claims = record("traveller", { low: 2, high: 100, step: 1, bonus: 2, scale: 10 }, [{ event: "claimed", claims: [20, 1000], bonus: 20 }]);
    expect(playedPicture(claims, 1)).toMatchObject({ form: "claims", low: 20, high: 1000, bonus: 20, claims: [20, 1000] });
  });
  it("holds every seat of a large table", () => {
    const guesses = Array.from({ length: 40 }, (_, seat) => seat);
    const many = record("beauty_contest", { p: 0.5, low: 0, high: 100, prize: 100 }, [{ event: "guessed", guesses, mean: 19.5, target: 9.75, closest: [10, 99] }], 40);
    expect(playedPicture(many, 1)).toMatchObject({ form: "guesses", guesses, outcome: { mean: 19.5, target: 9.75, closest: [10] } });
    const fund = record("public_goods", { endowment: 10, multiplier: 2 }, [{ event: "contributed", contributions: [1, 2, 3], fund: 6, share: 4 }], 3);
    expect(playedPicture(fund, 1)).toMatchObject({ form: "fund", players: 3, contributions: [1, 2, 3], outcome: { fund: 6, share: 4 } });
  });
  it.each([
    record("ultimatum", { pot: "<b>" }, []),
    record("ultimatum", { pot: 100 }, [{ event: "offered", pot: 100, offer: "much" }]),
    record("ultimatum", { pot: 100 }, [], 1),
    record("trust", { endowment: 1, multiplier: null }, []),
    record("stag_hunt", { stag: 100, hare: 50 }, [{ event: "hunted", choices: ["stag", "wolf"] }]),
    record("stag_hunt", { stag: 100, hare: 50 }, [{ event: "hunted", choices: ["stag"] }]),
    record("centipede", { payoffs: [[1, 2]], end: [1, 1], scale: 1 }, [{ event: "moved", move: "pass" }, { event: "moved", move: "pass" }]),
    record("public_goods", { endowment: 10, multiplier: 2 }, [{ event: "contributed", contributions: [1], fund: 1, share: 1 }]),
    record("beauty_contest", { p: 0.5, low: 0, high: 100, prize: 1 }, [{ event: "guessed", guesses: [1, Infinity], mean: 1, target: 1 }]),
    record("toString", {}, []),
  ])("is left out where the record does not have what it takes (%#)", (broken) => expect(playedPicture(broken, broken.events.length)).toBeNull());
});

describe("a moment", () => {
  it("is named by who did what", () => {
    expect([0, 1, 2, 3].map((seen) => momentName(ULTIMATUM, seen))).toEqual(["Before the first move", "P1 offers 30", "P2 rejects", "The end"]);
    expect(momentName(CENTIPEDE, 2)).toBe("Node 2: P2 takes");
  });
  it("has no name where the event is another one", () => {
    expect(momentName(record("trust", {}, [{ event: "sent", amount: {} }]), 1)).toBeNull();
    expect(momentName(record("trust", {}, [{ event: "constructor" }]), 1)).toBeNull();
  });
});
