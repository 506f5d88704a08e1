import { expect, test } from "vitest";

import { participantsOf, withParticipants } from "./file";

const FILE = '[session]\nname = "class"\nparticipants = 16\n\n[[games]]\ngroup = 4\n';

test("the number of participants of a file is read and changed", () => {
  expect(participantsOf(FILE)).toBe(16);
  const changed = withParticipants(FILE, 20);
  expect(participantsOf(changed)).toBe(20);
  expect(changed.replace("20", "16")).toBe(FILE);
});

test("a file without participants is not changed", () => {
  expect(participantsOf("[session]\n")).toBe(null);
  expect(withParticipants("[session]\n", 3)).toBe("[session]\n");
});
