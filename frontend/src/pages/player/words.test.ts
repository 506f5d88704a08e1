import { describe, expect, it } from "vitest";

import { gamesTable, rankText, intervalText, valueText } from "./words";

const SHARE = { share: true, decimals: 1, figure: { value: 0.5, low: 0.4, high: 0.62 } } as never;

describe("a player's profile", () => {
  it("says places as people count them", () => {
    const at = (place: number | null, players: number, value = 1) => rankText({ place, players, figure: { value }, others: [{ player: "a", label: "A", value: 2 }] });
    expect([1, 2, 3, 4, 11, 19].map((place) => at(place, 19))).toEqual([
      "highest of 19", "2nd highest of 19", "3rd highest of 19", "4th highest of 19", "11th highest of 19", "lowest of 19",
    ]);
    expect(at(null, 3)).toBe("no figure");
    expect(at(1, 1)).toBe("highest of 1");
    expect(at(1, 2, 2)).toBe("all 2 alike");
  });
  it("writes shares in per cent, and the reason where there is no interval", () => {
    expect(valueText(SHARE, 0.5)).toBe("50.0 %");
    expect(intervalText(SHARE)).toBe("40.0 % to 62.0 %");
    expect(intervalText({ ...(SHARE as object), figure: { value: 1, low: null, high: null, reason: "fewer than 6 games" } } as never)).toBe("fewer than 6 games");
  });
  it("hands over its games with seats as people name them", () => {
    const game = { game: "g", experiment: "e", number: 1, seat: 1, final: 3, rank: 1, seats: 2, players: ["a", "b"] };
    expect(gamesTable({ games: [game] } as never).rows[0]).toMatchObject({ seat: "P2", players: "a; b", final: 3 });
  });
});
