import { describe, expect, test } from "vitest";

import type { SimulationField, SimulationKind } from "../../api/types";
import { hintOf, labelOf, requestOf, shownFields } from "./simulation";

const field = (name: string, rest: Partial<SimulationField> = {}): SimulationField => ({ name, kind: "text", options: [], many: false, form: "", meaning: "A meaning.", range: "", default: "", ...rest });
const sweep: SimulationKind = {
  name: "sweep", title: "Sweep", summary: "", players: true,
  fields: [field("vary", { many: true, form: "NAME=VALUES" }), field("games", { kind: "whole", range: "from 1" }), field("agents", { kind: "switch" }), field("from_"), field("points"), field("seed")],
};

describe("the form of a simulation", () => {
  test("sends only what is filled in, with one value for each line", () => {
    const request = requestOf(sweep, "punish", ["Cooperator"], { vary: "rounds=2:6:2\n\n start=10,20 ", games: 20, agents: false, from_: "", points: null }, { rounds: 3 });
    expect(request).toEqual({ kind: "sweep", game: "punish", players: ["Cooperator"], settings: { vary: ["rounds=2:6:2", "start=10,20"], games: "20" }, rules: { rounds: 3 } });
  });
  test("sends players only where they are chosen apart from settings", () => {
    expect(requestOf({ ...sweep, players: false }, "punish", ["Cooperator"], { agents: true }, {}).players).toEqual([]);
  });
  test("shows the first fields and the seed, and folds the others", () => {
    const { shown, folded } = shownFields(sweep);
    expect(shown.map(({ name }) => name)).toEqual(["vary", "games", "agents", "from_", "seed"]);
    expect(folded.map(({ name }) => name)).toEqual(["points"]);
  });
  test("says form and range in words", () => {
    expect(hintOf(sweep.fields[0]!)).toBe("A meaning. (as NAME=VALUES; one on each line)");
    expect(hintOf(sweep.fields[1]!)).toBe("A meaning. (from 1)");
    expect(labelOf(sweep.fields[3]!)).toBe("From");
  });
});
