// The picture of an item that a subject was asked: the same drawings as of played games, with the subject in its role and
// the other one unnamed.
import { isCount, isNumber, perSeat, type GameRecord } from "../record";
import type { Item } from "../stated/items";
import { arePairs, type Choice, figures, HUNT, isPair, optionAt, type Pair, type Party, partyAt, pennies, type Picture, SIDES, staghunt } from "./picture";

interface Asked {
  item: Item;
  facts: Record<string, unknown>;
  /** The subject in a role, and the other one in another. */
  you: (role: string) => Party;
  other: (role: string) => Party;
  /** The answer, where it is a number. */
  number: number | null;
  choice: Choice;
}

const other = (role: string): Party => ({ label: "the other", player: "", role, colour: "var(--strong-line)" });

function chances(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.length <= 12 && value.every((one) => isNumber(one) && one >= 0 && one <= 1);
}

function accepted({ item }: Asked): boolean | null {
  return item.answer === "accept" ? true : item.answer === "reject" ? false : null;
}

function chosen(asked: Asked, options: Pair<string>, payoffs: ReturnType<typeof pennies>, first: boolean, roles: Pair<string>): Picture {
  const at = optionAt(options, asked.item.answer);
  return { form: "matrix", parties: parties(asked, roles, first), options, payoffs, row: first ? at : null, column: first ? null : at };
}

/** The subject in the first role, or in the second one. */
function parties({ you, other }: Asked, roles: Pair<string>, first: boolean): Pair<Party> {
  return first ? [you(roles[0]), other(roles[1])] : [other(roles[0]), you(roles[1])];
}

function responder(asked: Asked): Picture | null {
  const known = figures(asked.facts, "pot", "offer");
  return known && { form: "split", parties: parties(asked, ["proposer", "responder"], false), ...known, consent: true, accepted: accepted(asked) };
}

function returner(asked: Asked): Picture | null {
  const known = figures(asked.facts, "endowment", "multiplier", "sent", "received");
  return known && { form: "flow", parties: parties(asked, ["sender", "returner"], false), ...known, returned: asked.number };
}

function centipede(asked: Asked): Picture | null {
  const { node, payoffs, end } = asked.facts;
  if (!arePairs(payoffs) || !isPair(end) || !isCount(node) || node < 1 || node > payoffs.length) return null;
  const nodes = payoffs.map((pair, place): Pair<number> => (place % 2 === 0 ? pair : [pair[1], pair[0]]));
  const { answer } = asked.item;
  // Whoever stands at a node, all nodes before it were passed.
  const moves: ("take" | "pass")[] = Array<"pass">(node - 1).fill("pass");
  if (answer === "take" || answer === "pass") moves.push(answer);
  return { form: "tree", parties: parties(asked, ["moves first", "moves second"], node % 2 === 1), nodes, end, moves, asked: node };
}

const TASKS: Record<string, (asked: Asked) => Picture | null> = {
  dictator: (asked) => {
    const known = figures(asked.facts, "pot");
    return known && { form: "split", parties: parties(asked, ["giver", "receiver"], true), ...known, offer: asked.number, consent: false, accepted: null };
  },
  ultimatum: (asked) => {
    if (asked.item.role === "responder") return responder(asked);
    const known = figures(asked.facts, "pot");
    return known && { form: "split", parties: parties(asked, ["proposer", "responder"], true), ...known, offer: asked.number, consent: true, accepted: null };
  },
  trust: (asked) => {
    if (asked.item.role === "returner") return returner(asked);
    const known = figures(asked.facts, "endowment", "multiplier");
    const received = known && asked.number !== null ? asked.number * known.multiplier : null;
    return known && { form: "flow", parties: parties(asked, ["sender", "returner"], true), ...known, sent: asked.number, received, returned: null };
  },
  stag_hunt: (asked) => {
    const known = figures(asked.facts, "stag", "hare");
    return known && chosen(asked, HUNT, staghunt(known.stag, known.hare), true, ["hunter", "hunter"]);
  },
  matching_pennies: (asked) => {
    const known = figures(asked.facts, "prize");
    return known && chosen(asked, SIDES, pennies(known.prize), asked.facts.role !== "mismatcher", ["matcher", "mismatcher"]);
  },
  centipede,
  traveller: (asked) => {
    const known = figures(asked.facts, "low", "high", "bonus");
    return known && { form: "claims", parties: parties(asked, ["claimant", "claimant"], true), ...known, claims: [asked.number, null] };
  },
  public_goods: (asked) => {
    const known = figures(asked.facts, "endowment", "multiplier", "players");
    return known && { form: "fund", parties: [asked.you("contributor")], ...known, contributions: alone(asked), outcome: null };
  },
  beauty_contest: (asked) => {
    const known = figures(asked.facts, "low", "high", "p", "prize");
    return known && { form: "guesses", parties: [asked.you("guesser")], low: known.low, high: known.high, part: known.p, prize: known.prize, guesses: alone(asked), outcome: null };
  },
  time: ({ facts, choice }) => {
    const known = figures(facts, "sooner", "sooner_days", "later", "later_days");
    return known && { form: "dates", sooner: known.sooner, soonerDays: known.sooner_days, later: known.later, laterDays: known.later_days, choice };
  },
  risk: ({ facts: { outcomes, reference, other }, choice }) => {
    if (!chances(reference) || !chances(other) || !perSeat(outcomes, reference.length, isNumber) || other.length !== reference.length) return null;
    return { form: "lotteries", outcomes, reference, other, choice };
  },
  loss: ({ facts, choice }) => {
    const known = figures(facts, "gain", "loss");
    return known && { form: "gamble", ...known, choice };
  },
  ambiguity: ({ facts, choice }) => {
    const known = figures(facts, "prize", "known_p");
    return known && { form: "urns", prize: known.prize, known: known.known_p, choice };
  },
  garp: ({ facts: { income, prices }, number }) => (isNumber(income) && isPair(prices) && Math.min(...prices) > 0 ? { form: "budget", income, prices, bought: number } : null),
};

function alone({ number }: Asked): number[] | null {
  return number === null ? null : [number];
}

/** The picture of an item; null where its task has none, or where its facts are not what it takes. */
export function itemPicture(record: GameRecord, item: Item): Picture | null {
  const draw = typeof item.task === "string" && Object.hasOwn(TASKS, item.task) ? TASKS[item.task]! : null;
  const { options, labels, answer } = item;
  return (
    draw?.({
      item, facts: item.facts, other,
      you: (role) => partyAt(record, 0, role),
      number: isNumber(answer) ? answer : null,
      choice: { options, labels, answer: typeof answer === "string" ? answer : null },
    }) ?? null
  );
}
