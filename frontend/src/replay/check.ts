// Check a record before it is drawn, because a file from elsewhere may have any content.
import { BrokenRecord, isCount, isNumber, isObject, isSeat } from "./record";
import type { Scene } from "./scene";

type Test = (value: unknown, seats: number) => boolean;
type Fields = Record<string, Test>;

const some: Test = isNumber;
const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const seat: Test = isSeat;
const may = (test: Test): Test => (value, seats) => value === undefined || value === null || test(value, seats);
const list = (test: Test): Test => (value, seats) => Array.isArray(value) && value.every((one) => test(one, seats));
const pair = (test: Test): Test => (value, seats) => list(test)(value, seats) && (value as unknown[]).length === 2;
const oneOf = (...known: string[]): Test => (value) => known.includes(value as string);
const fields = (tests: Fields): Test => (value, seats) => isObject(value) && wrongIn(value, tests, seats) === undefined;
const values = (test: Test): Test => (value, seats) => isObject(value) && Object.values(value).every((one) => test(one, seats));

const tone = may(oneOf("plain", "good", "bad", "gold"));
const span: Test = (value, seats) => typeof value === "string" || (isObject(value) && (isSeat(value.seat, seats) || typeof value.quote === "string"));
const sentence = list(span);
const perSeat: Test = (value, seats) => Array.isArray(value) && value.length === seats && value.every((one) => one === null || isNumber(one));
const end: Test = (value, seats) => value === "table" || value === "each" || isSeat(value, seats);

const EFFECTS: Record<string, Fields> = {
  set: { values: values((value, seats) => value === null || isNumber(value) || perSeat(value, seats)), seat: may(seat) },
  transfer: { amount: (value, seats) => isNumber(value) || perSeat(value, seats), source: end, target: end, kind: may(text), cost: may(some), arrives: may(some) },
  say: { seat, text },
  choose: { seat, value: (value) => value === null || isNumber(value) || typeof value === "string", label: may(text), fault: may(text) },
  enter: { seat },
  leave: { seat },
  mark: { tone, text: may(sentence), kind: may(text) },
};

const party = fields({ seat: may(seat), role: text });
const parties = list(party);
const choice = fields({ options: list(text), labels: list(text), answer: may(text) });
const FORMS: Record<string, Fields> = {
  split: { parties: pair(party), pot: some, offer: may(some), consent: flag, accepted: may(flag) },
  flow: { parties: pair(party), endowment: some, multiplier: some, sent: may(some), received: may(some), returned: may(some) },
  matrix: { parties: pair(party), rows: list(text), columns: list(text), payoffs: list(list(pair(some))), row: may(isCount), column: may(isCount) },
  tree: { parties: pair(party), nodes: list(pair(some)), end: pair(some), moves: list(oneOf("take", "pass")), asked: may(isCount) },
  line: { low: some, high: some, verb: text, pins: list(fields({ party, value: may(some), best: flag })), rules: list(fields({ title: text, value: some, main: flag })), verdict: text },
  fund: { parties, players: some, endowment: some, multiplier: some, contributions: may(list(some)), fund: may(some), share: may(some) },
  dates: { payments: list(fields({ option: text, amount: some, days: some })), choice },
  lotteries: { outcomes: list(some), lotteries: list(fields({ option: text, title: text, chances: may(list(some)) })), choice, worth: flag },
  gamble: { gain: some, loss: some, choice },
  budget: { income: some, prices: pair(some), bought: may(some) },
};

const tagged = (tag: string, known: Record<string, Fields>): Test => (value, seats) =>
  isObject(value) && typeof value[tag] === "string" && Object.hasOwn(known, value[tag]) && fields(known[value[tag]]!)(value, seats);

const TELLING: Fields = {
  turn: may(isCount),
  phase: may(text),
  title: may(sentence),
  text: may(list(sentence)),
  effects: may(list(tagged("do", EFFECTS))),
  middle: may(fields({ title: text, figure: text, notes: may(list(text)) })),
  asked: may(fields({ role: may(text), about: may(text), purpose: may(text), asking: may(some), facts: may(list(pair(text))), options: may(list(text)), labels: may(list(text)) })),
  form: may(tagged("form", FORMS)),
  point: may(fields({ list: text, group: may(text), title: may(text), label: text, at: some, option: may(text), amount: may(some), low: may(some), high: may(some) })),
};

const quantity = fields({ title: text, of: may(oneOf("seat", "table")), unit: may(text), digits: may(isCount), low: may(some), high: may(some), note: may(text) });
const shown = fields({ quantity: text, title: may(text), line: may(flag) });
const SCENE: Fields = {
  layout: oneOf("table", "sides", "dashboard", "question"),
  title: text,
  clock: may(text),
  horizon: may(isCount),
  pace: may(some),
  opens: may(oneOf("start", "end")),
  final: may(text),
  better: may(oneOf("higher", "lower")),
  quantities: may(values(quantity)),
  flows: may(values(fields({ title: text, of: may(text), takes: may(flag), drawn: may(oneOf("band", "arrow")), tone }))),
  phases: may(list(fields({ name: text, title: text }))),
  roles: may(list(text)),
  card: may(fields({ quantity: text, notes: may(list(shown)) })),
  centre: may(fields({ quantity: text, title: text })),
  prices: may(fields({ quotes: text, trades: text, right: list(isCount), values: may(text), curves: may(flag) })),
  strip: may(fields({ bars: text, ticks: may(text) })),
  standing: may(list(shown)),
  figures: may(list(text)),
  panels: may(list(fields({ kind: oneOf("lines", "steps", "bars", "heat"), quantity: text, bounds: may(list(fields({ value: some, text, tone }))), words: may(pair(text)) }))),
  lists: may(values(fields({ kind: oneOf("choices", "amounts", "points"), title: may(text), axis: may(text), options: may(list(text)) }))),
};

function wrongIn(value: Record<string, unknown>, tests: Fields, seats: number): string | undefined {
  return Object.keys(tests).find((field) => !tests[field]!(value[field], seats));
}

/** Return the scene of a record. Throw `BrokenRecord` with the name of the field if a field is invalid. */
export function checkScene(data: Record<string, unknown>): Scene {
  const wrong = wrongIn(data, SCENE, Infinity);
  if (wrong) throw new BrokenRecord(`The record's scene has no usable "${wrong}".`);
  const scene = data as unknown as Scene;
  const named = [
    scene.final, scene.card?.quantity, scene.centre?.quantity, scene.prices?.quotes, scene.prices?.trades, scene.prices?.values, scene.strip?.bars, scene.strip?.ticks, ...(scene.figures ?? []),
    ...[...(scene.card?.notes ?? []), ...(scene.standing ?? []), ...(scene.panels ?? [])].map((one) => one.quantity),
  ];
  const unknown = named.find((name) => name !== undefined && name !== null && !Object.hasOwn(scene.quantities ?? {}, name));
  if (unknown !== undefined) throw new BrokenRecord(`The record's scene has no quantity "${unknown?.slice(0, 40)}".`);
  if ((scene.layout === "table" || scene.layout === "sides") && !scene.card) throw new BrokenRecord('The record\'s scene has no usable "card".');
  if (scene.layout === "sides" && !scene.prices) throw new BrokenRecord('The record\'s scene has no usable "prices".');
  return scene;
}

/** Throw `BrokenRecord` for an invalid telling. `place` is the number of its event, from 1, or 0 for the opening. */
export function checkTelling(telling: Record<string, unknown>, scene: Scene, seats: number, place: number): void {
  const wrong = wrongIn(telling, TELLING, seats);
  if (wrong) throw new BrokenRecord(`${place ? `The telling of event ${place}` : "The opening"} of the record has no usable "${wrong}".`);
  for (const effect of (telling.effects ?? []) as Record<string, unknown>[]) {
    if (effect.do !== "set") continue;
    for (const [name, value] of Object.entries(effect.values as object)) {
      const known = Object.hasOwn(scene.quantities ?? {}, name) ? scene.quantities![name]! : null;
      if (known && value !== null && Array.isArray(value) === (known.of === "table") && effect.seat === undefined)
        throw new BrokenRecord(`Event ${place} of the record sets "${name.slice(0, 40)}" to an invalid value.`);
    }
  }
}
