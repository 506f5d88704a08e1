import { expect, test } from "vitest";

import { allLinks, isForThisMachine, pagesFor, seatAddress } from "./links";

const at = (address: string): URL => new URL(address);

test("links name an address that others reach, where there is one", () => {
  const lan = "http://192.168.1.5:8000/";
  expect(pagesFor(at("http://127.0.0.1:8000/"), lan)).toBe(lan);
  expect(pagesFor(at("http://localhost:8000/"), lan)).toBe(lan);
  expect(pagesFor(at("http://[::1]:8000/"), lan)).toBe(lan);
  // An address that others know, such as that of a proxy, is used.
  expect(pagesFor(at("https://lab.example/ostrom/"), lan)).toBe("https://lab.example/ostrom/");
  expect(pagesFor(at("http://127.0.0.1:8000/"), null)).toBe("http://127.0.0.1:8000/");
});

test("a link of the loopback is for one machine alone", () => {
  expect(["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:8000/"].map(isForThisMachine)).toEqual([true, true, true]);
  expect(["http://192.168.1.5:8000/", "https://lab.example/", "http://[fe80::1]:8000/"].map(isForThisMachine)).toEqual([false, false, false]);
});

test("all links are a line each", () => {
  const seats = ["a-b_c", "d"].map((token, seat) => ({ seat, label: `P${seat + 1}`, token, state: "here" as const, missed: 0 }));
  expect(seatAddress("http://h/", "a b")).toBe("http://h/#/seat/a%20b");
  expect(allLinks("http://h/", seats)).toBe("P1: http://h/#/seat/a-b_c\nP2: http://h/#/seat/d");
});
