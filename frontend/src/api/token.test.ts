import { expect, test } from "vitest";

import { splitToken } from "./token";

test("a token leaves the address, and nothing else does", () => {
  expect(splitToken("#token=abc")).toEqual({ rest: "#/", token: "abc" });
  expect(splitToken("#/?token=a%2Bb")).toEqual({ rest: "#/", token: "a+b" });
  expect(splitToken("#/compare?kind=punish&token=abc&player=x")).toEqual({ rest: "#/compare?kind=punish&player=x", token: "abc" });
});

test("an address without a token stays as it is", () => {
  for (const hash of ["", "#/", "#/games/token", "#/seat/SECRET", "#/compare?kind=punish"]) expect(splitToken(hash)).toBeNull();
});
