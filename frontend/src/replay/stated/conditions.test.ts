import { expect, test } from "vitest";

import { conditionIn, factIn } from "./conditions";

test.each([
  ["later=1000 delay=36 front=0", "1,000 later, 36 months apart, the sooner one today"],
  ["later=10 delay=1 front=12", "10 later, 1 month apart, the sooner one in 12 months"],
  ["reference=3/12,3/12,6/12", "reference lottery 3/12, 3/12, 6/12"],
  ["triple=1 pair=bc", "triple 1, options b and c"],
  ["pot=1000 offer=40%", "a pot of 1,000, an offer of 40 %"],
  ["endowment=10 sent=60%", "an endowment of 10, 60 % of it sent"],
  ["stag=1000 hare=0.25", "a stag worth 1,000, a hare worth 25 % of it"],
  ["prize=100 known=0.6", "a prize of 100, a known chance of 60 %"],
  ["budget=7 income=100 prices=1.78,2.96", "budget 7, an income of 100, prices of 1.78 and 2.96"],
  ["role=matcher prize=1e+06", "as the matcher, a prize of 1,000,000"],
  ["wind_speed=7 pot=soon", "wind speed 7, a pot of soon"],
  ["toString=1", "toString=1"],
  ["said in other words", "said in other words"],
])("the condition %s is told in words", (text, words) => {
  expect(conditionIn(text)).toBe(words);
});

test("facts are told with their units", () => {
  expect(factIn("sooner_days", 0)).toEqual({ title: "sooner one after", text: "today" });
  expect(factIn("later_days", 1095.12)).toEqual({ title: "later one after", text: "1,095 days" });
  expect(factIn("reference", [1 / 3, 0, 2 / 3])).toEqual({ title: "chances of the reference", text: "33.3 %, 0 %, 66.7 %" });
  expect(factIn("sooner", 507.81)).toEqual({ title: "sooner amount", text: "507.81" });
  expect(factIn("outcomes", [0, 500, 1000])).toEqual({ title: "outcomes", text: "0, 500, 1,000" });
  expect(factIn("wind_speed", "high")).toEqual({ title: "wind speed", text: "high" });
});
