import { describe, expect, it } from "vitest";

import { shorten, spread } from "./labels";
import { horizon, roundUp, ticks, turnTicks } from "./scale";
import { thinOut } from "./thin";

describe("labels at the ends of lines", () => {
  it("stay where they want to be when there is room", () => {
    expect(spread([10, 50, 90], 14, 0, 100)).toEqual([10, 50, 90]);
  });
  it("give way evenly to each other", () => {
    expect(spread([50, 50], 10, 0, 100)).toEqual([45, 55]);
  });
  it("never overlap, never leave their place, and keep the order of their lines", () => {
    const wishes = [3, 3, 3, 2, 97, 99, 98, 50, 51, 49, 50, 0, 100];
    const heights = spread(wishes, 8, 0, 100);
    const order = wishes.map((_, k) => k).sort((a, b) => wishes[a]! - wishes[b]! || a - b);
    order.slice(1).forEach((k, rank) => expect(heights[k]! - heights[order[rank]!]!).toBeGreaterThanOrEqual(8 - 1e-9));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(-1e-9);
    expect(Math.max(...heights)).toBeLessThanOrEqual(100 + 1e-9);
  });
  it("move closer together when there are more than fit", () => {
    const heights = spread(new Array<number>(21).fill(10), 14, 0, 100);
    expect(heights[0]).toBeCloseTo(0);
    expect(heights[20]).toBeCloseTo(100);
  });
  it("are none for none", () => expect(spread([], 14, 0, 100)).toEqual([]));
});

describe("a name that is too long", () => {
  it("keeps its beginning and its end", () => {
    expect(shorten("P2 claude-3-7-sonnet-20250219-thinking", 18)).toBe("P2 claude-3-…nking");
    expect(shorten("P2 TitForTat", 18)).toBe("P2 TitForTat");
  });
  it("is never cut inside a sign", () => expect(shorten("🂡".repeat(9), 4)).toBe("🂡🂡…🂡"));
});

describe("scales", () => {
  it("round up to 1, 2, 5 and their tens", () => {
    expect([0, 0.3, 1, 1.1, 3, 7, 11, 500, 501].map(roundUp)).toEqual([1, 0.5, 1, 2, 5, 10, 20, 500, 1000]);
  });
  it("have round ticks within their bounds", () => {
    expect(ticks(0, 1, 2)).toEqual([0, 0.5, 1]);
    expect(ticks(1.2, 3, 2)).toEqual([2, 3]);
    expect(ticks(4, 4, 3)).toEqual([4]);
  });
  it("have no half turns", () => expect(turnTicks(3, 900)).toEqual([0, 1, 2, 3]));
  it("reach to the end of a finished game, and leave room in one that goes on", () => {
    expect(horizon(63, true, null)).toBe(63);
    expect(horizon(63, false, null)).toBe(100);
    expect(horizon(63, false, 80)).toBe(80);
    expect(horizon(0, false, null)).toBe(10);
  });
});

describe("a long series", () => {
  it("is drawn whole where it is short", () => expect(thinOut(5, () => 0, 10)).toEqual([0, 1, 2, 3, 4]));
  it("keeps its ends and its peaks, with bounded work", () => {
    const values = Array.from({ length: 10_000 }, (_, k) => (k === 7777 ? 99 : Math.sin(k)));
    const places = thinOut(values.length, (k) => values[k]!, 100);
    expect(places.length).toBeLessThanOrEqual(400);
    expect(places).toContain(7777);
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBe(9999);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});
