// What a subject answered so far to questions that differ in one number only: a list of choices with the place where they
// switch, or a list of amounts. The item that is being looked at says which list it is.
import { amount, figures, percent } from "../forms/picture";
import { isNumber } from "../record";
import { conditionIn } from "./conditions";
import type { Item } from "./items";

/** An item and its place among the events. */
export interface Placed {
  item: Item;
  place: number;
}

export interface Rung {
  value: number;
  label: string;
  /** Where its last item is among the events. */
  place: number;
  /** How often each of the two options was chosen here. */
  chosen: [number, number];
  /** Whether the item that is being looked at is one of its. */
  now: boolean;
}
export interface Choices {
  kind: "choices";
  title: string;
  /** What changes from rung to rung. */
  axis: string;
  options: [string, string];
  rungs: Rung[];
}
export interface AmountRow {
  label: string;
  place: number;
  low: number;
  high: number;
  answers: number[];
  now: boolean;
}
export interface Amounts {
  kind: "amounts";
  title: string;
  rows: AmountRow[];
}
export type Series = Choices | Amounts;

interface Axis {
  axis: string;
  title: string;
  options: [string, string];
  /** Which items belong together. */
  group: (item: Item) => string;
  at: (item: Item) => { value: number; label: string } | null;
}

const kept = (...names: string[]) => (item: Item): string => JSON.stringify([item.role, item.purpose, ...names.map((name) => item.facts[name] ?? null)]);
const by = (name: string, say: (value: number) => string) => (item: Item): { value: number; label: string } | null => {
  const value = item.facts[name];
  return isNumber(value) ? { value, label: say(value) } : null;
};

/** The lottery that changes, by what it adds to the middle outcome: the best one, or the worst one. */
function onEdge({ facts: { other, outcomes } }: Item): { value: number; label: string } | null {
  if (!Array.isArray(other) || other.length !== 3 || !other.every(isNumber) || !Array.isArray(outcomes) || !outcomes.every(isNumber)) return null;
  const [worst, middle, best] = other as [number, number, number];
  const name = (k: number): string => amount(outcomes[k] as number);
  if (best > 0 && worst > 0) return null;
  if (middle === 1) return { value: 0, label: `${name(1)} for sure` };
  const label = best > 0 ? `${percent(best)} of ${name(2)}` : `${percent(worst)} of ${name(0)}`;
  return { value: best - worst, label: middle > 0 ? `${label}, else ${name(1)}` : label };
}

const CHOICES: Record<string, Axis> = {
  "time chooser": { axis: "sooner amount", title: "", options: ["later", "sooner"], group: (item) => `${item.condition} ${item.purpose}`, at: by("sooner", amount) },
  "risk chooser": { axis: "other lottery", title: "", options: ["reference", "other"], group: (item) => `${item.condition} ${item.purpose}`, at: onEdge },
  "ultimatum responder": { axis: "offer", title: "The same pot, other offers", options: ["reject", "accept"], group: kept("pot"), at: by("offer", amount) },
  "loss chooser": { axis: "loss", title: "The same gain, other losses", options: ["accept", "reject"], group: kept("gain"), at: by("loss", amount) },
  "ambiguity chooser": { axis: "known chance", title: "The same prize, other chances", options: ["unknown", "known"], group: kept("prize"), at: by("known_p", percent) },
  "stag_hunt chooser": { axis: "hare", title: "The same stag, other hares", options: ["stag", "hare"], group: kept("stag"), at: by("hare", amount) },
  "centipede mover": { axis: "node", title: "The same amounts, other nodes", options: ["pass", "take"], group: kept("scale"), at: by("node", amount) },
};

const upTo = (name: string) => ({ facts }: Item): [number, number] | null => (isNumber(facts[name]) && facts[name] > 0 ? [0, facts[name]] : null);
const within = ({ facts }: Item): [number, number] | null => {
  const range = figures(facts, "low", "high");
  return range && range.high > range.low ? [range.low, range.high] : null;
};
const AMOUNTS: Record<string, { title: string; range: (item: Item) => [number, number] | null }> = {
  "dictator giver": { title: "Given, of each pot", range: upTo("pot") },
  "ultimatum proposer": { title: "Offered, of each pot", range: upTo("pot") },
  "trust sender": { title: "Sent, of each endowment", range: upTo("endowment") },
  "trust returner": { title: "Returned, of what arrived", range: upTo("received") },
  "public_goods contributor": { title: "Contributed, of each endowment", range: upTo("endowment") },
  "traveller claimant": { title: "Claims", range: within },
  "beauty_contest guesser": { title: "Numbers named", range: within },
};

const keyOf = ({ task, role }: Item): string => `${String(task)} ${role}`;

/** The list that the last of these items belongs to; null where there is none to speak of. */
export function seriesOf(items: Placed[]): Series | null {
  const now = items.at(-1);
  if (!now) return null;
  const key = keyOf(now.item);
  if (Object.hasOwn(CHOICES, key)) return choices(CHOICES[key]!, key, items, now);
  return Object.hasOwn(AMOUNTS, key) ? amounts(AMOUNTS[key]!, key, items, now) : null;
}

function choices(axis: Axis, key: string, items: Placed[], now: Placed): Choices | null {
  const group = axis.group(now.item);
  const rungs = new Map<number, Rung>();
  for (const { item, place } of items) {
    if (keyOf(item) !== key || axis.group(item) !== group) continue;
    const at = axis.at(item);
    if (!at) continue;
    const rung = rungs.get(at.value) ?? { ...at, place, chosen: [0, 0], now: false };
    const option = axis.options.indexOf(item.answer as string);
    if (option >= 0) rung.chosen[option]! += 1;
    rungs.set(at.value, { ...rung, place, now: item === now.item || rung.now });
  }
  if (rungs.size < 2) return null;
  const ordered = [...rungs.values()].sort((one, other) => one.value - other.value);
  return { kind: "choices", title: axis.title || conditionIn(now.item.condition), axis: axis.axis, options: axis.options, rungs: ordered };
}

function amounts(kind: { title: string; range: (item: Item) => [number, number] | null }, key: string, items: Placed[], now: Placed): Amounts | null {
  const rows = new Map<string, AmountRow>();
  for (const { item, place } of items) {
    const range = keyOf(item) === key ? kind.range(item) : null;
    if (!range) continue;
    const row = rows.get(item.condition) ?? { label: conditionIn(item.condition), place, low: range[0], high: range[1], answers: [], now: false };
    if (isNumber(item.answer)) row.answers.push(item.answer);
    rows.set(item.condition, { ...row, place, now: item === now.item || row.now });
  }
  if (rows.size === 0) return null;
  const ordered = [...rows].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true })).map(([, row]) => row);
  return { kind: "amounts", title: kind.title, rows: ordered };
}

/** Which option most answers at a rung chose: its place, or null for a tie and for none. */
export function majority({ chosen: [first, second] }: Rung): 0 | 1 | null {
  return first === second ? null : first > second ? 0 : 1;
}

/** The rungs after which the choice turns: once for who chooses consistently. Rungs without a majority are passed over. */
export function switches(rungs: Rung[]): { after: number; from: Rung; to: Rung }[] {
  const found: { after: number; from: Rung; to: Rung }[] = [];
  let last: { rung: Rung; choice: 0 | 1 } | null = null;
  rungs.forEach((rung, place) => {
    const choice = majority(rung);
    if (choice === null) return;
    if (last && last.choice !== choice) found.push({ after: place - 1, from: last.rung, to: rung });
    last = { rung, choice };
  });
  return found;
}
