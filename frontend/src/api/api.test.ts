import { expect, test } from "vitest";

import { eventReader } from "./sse";
import { splitToken } from "./token";

const STREAM = 'event: changed\ndata: {"revision": 3}\n\n: still here\n\nevent: events\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: plain\n\n';

test("events are the same however the stream is cut", () => {
  const whole = eventReader()(STREAM);
  expect(whole).toEqual([
    { event: "changed", data: '{"revision": 3}' },
    { event: "events", data: '{"a":\n1}' },
    { event: "message", data: "plain" },
  ]);
  for (let size = 1; size < 12; size += 1) {
    const read = eventReader();
    const found = [];
    for (let at = 0; at < STREAM.length; at += size) found.push(...read(STREAM.slice(at, at + size)));
    expect(found).toEqual(whole);
  }
});

test("an event that was cut off is not told", () => {
  expect(eventReader()("event: changed\ndata: {}")).toEqual([]);
});

test("a token leaves the address, and nothing else does", () => {
  expect(splitToken("#token=abc")).toEqual({ rest: "#/", token: "abc" });
  expect(splitToken("#/?token=a%2Bb")).toEqual({ rest: "#/", token: "a+b" });
  expect(splitToken("#/compare?kind=punish&token=abc&player=x")).toEqual({ rest: "#/compare?kind=punish&player=x", token: "abc" });
});

test("an address without a token stays as it is", () => {
  for (const hash of ["", "#/", "#/games/token", "#/seat/SECRET", "#/compare?kind=punish"]) expect(splitToken(hash)).toBeNull();
});
