import { expect, test } from "vitest";

import { parted } from "./token";

test("a token leaves the address, and nothing else does", () => {
  expect(parted("#token=abc")).toEqual({ rest: "#/", token: "abc" });
  expect(parted("#/?token=a%2Bb")).toEqual({ rest: "#/", token: "a+b" });
  expect(parted("#/compare?kind=punish&token=abc&player=x")).toEqual({ rest: "#/compare?kind=punish&player=x", token: "abc" });
});

test("an address without a token stays as it is", () => {
  for (const hash of ["", "#/", "#/games/token", "#/seat/SECRET", "#/compare?kind=punish"]) expect(parted(hash)).toBeNull();
});
