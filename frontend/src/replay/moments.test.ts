import { describe, expect, it } from "vitest";

import { Clock, otherSpeed, positionMarks, placeOf, nextTurnStop } from "./moments";

describe("the place of a moment", () => {
  const stops = [0, 3, 5, 9];
  it.each([[0, 0], [1, 1], [3, 1], [4, 2], [9, 3], [99, 3]])("of %i events seen is %i", (seen, place) => {
    expect(placeOf(stops, seen)).toBe(place);
  });
});

describe("a step over turns", () => {
  const stops = [0, 1, 2, 3, 4, 5, 6, 7];
  const turns = [3, 6];
  it("goes to the next or the last turn that is complete", () => {
    expect(nextTurnStop(stops, turns, 0, 1)).toBe(3);
    expect(nextTurnStop(stops, turns, 3, 1)).toBe(6);
    expect(nextTurnStop(stops, turns, 5, -1)).toBe(3);
    expect(nextTurnStop(stops, turns, 6, -1)).toBe(3);
    expect(nextTurnStop(stops, turns, 7, -1)).toBe(6);
  });
  it("ends at the ends", () => {
    expect(nextTurnStop(stops, turns, 6, 1)).toBe(7);
    expect(nextTurnStop(stops, turns, 2, -1)).toBe(0);
    expect(nextTurnStop(stops, [], 2, 1)).toBe(7);
  });
});

describe("the clock", () => {
  it("gives as many moments as the speed says, however frames fall", () => {
    const clock = new Clock();
    let due = 0;
    for (let now = 0; now <= 10_000; now += 16.7) due += clock.tick(now, 20);
    expect(due).toBe(199);
  });
  it("does not make up for a page that slept", () => {
    const clock = new Clock();
    clock.tick(0, 20);
    expect(clock.tick(60_000, 20)).toBe(10);
  });
});

describe("speed", () => {
  it("goes from half a moment to sixty a second", () => {
    expect(otherSpeed(0.5, -1)).toBe(0.5);
    expect(otherSpeed(0.5, 1)).toBe(1);
    expect(otherSpeed(60, 1)).toBe(60);
    expect(otherSpeed(7, -1)).toBe(5);
  });
});

describe("marks on the time axis", () => {
  const stops = Array.from({ length: 10_001 }, (_, seen) => seen);
  const mark = (at: number) => ({ at, text: "", tone: "plain" as const });
  it("have their places", () => expect(positionMarks([mark(3)], [0, 2, 5])).toEqual([{ ...mark(3), place: 2 }]));
  it("are bounded, and keep to the whole axis", () => {
    const placed = positionMarks(stops.map(mark), stops);
    expect(placed.length).toBeLessThanOrEqual(200);
    expect([placed[0]!.place, placed.at(-1)!.place]).toEqual([0, 10_000]);
  });
});
