import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ParticipantState, SeatState } from "../../api/types";
import { ENGLISH } from "../../lib/english";
import { around, named, setWords, word } from "../../lib/words.svelte";
import { fieldsOf, hint, plain } from "../seat/form";
import { answerText } from "../seat/sending";
import { numberOf, problemOf, rangeText, valuesOf, type Asked } from "./entries";
import { FIRST_WORDS, firstWords } from "./first_words";
import { Participation } from "./following.svelte";
import { decimal, money } from "./money";
import { pageKey, type SessionPage } from "./pages";
import { dropJoinKey, dropToken, joinKey, placeOf, storedToken, storeToken, tokenKey } from "./place";
import { TraceRecorder } from "./traces";

const CATALOGUES = import.meta.glob<string>("../../../../src/ostrom/experiment/session/words/*.toml", { query: "?raw", import: "default", eager: true });
const SCRIPTS = import.meta.glob<string>(["./*.ts", "../seat/*.ts", "!**/*.test.ts"], { query: "?raw", import: "default", eager: true });
const COMPONENTS = import.meta.glob<string>(["./*.svelte", "../seat/*.svelte"], { query: "?raw", import: "default", eager: true });

/** Return the words of a catalogue. Each is on a line of its own. */
function catalogue(name: string): Record<string, string> {
  const text = Object.entries(CATALOGUES).find(([path]) => path.endsWith(`/${name}.toml`))![1];
  const pairs = text.split("\n").map((line) => /^(\w+) = "(.*)"$/.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, key, text]) => [key!, JSON.parse(`"${text}"`) as string]));
}
const EN = catalogue("en");
const DE = catalogue("de");

beforeEach(() => setWords({ language: "en", words: EN }));
afterEach(() => vi.unstubAllGlobals());

test("every word of the pages is in both catalogues", () => {
  const used = new Set([...Object.values(SCRIPTS), ...Object.values(COMPONENTS)].flatMap((text) => [...text.matchAll(/\b(?:word|around)\(\s*"(\w+)"/g)].map(([, key]) => key!)));
  expect(used.size).toBeGreaterThan(100);
  expect([...used].filter((key) => !(key in EN) || !(key in DE))).toEqual([]);
  expect(Object.keys(ENGLISH).filter((key) => !(key in EN) || !(key in DE))).toEqual([]);
});

test("the English words of a seat and the first words are those of the catalogues", () => {
  const { word_for_word: _, ...seat } = ENGLISH;
  for (const [key, text] of Object.entries({ ...seat, ...FIRST_WORDS.en })) expect(EN[key], key).toBe(text);
  for (const [key, text] of Object.entries(FIRST_WORDS.de!)) expect(DE[key], key).toBe(text);
  expect(firstWords(["fr", "de-AT", "en"]).language).toBe("de");
  expect(firstWords(["fr"]).language).toBe("en");
});

test("components of participants have no text of their own", () => {
  // What is left of a component without its script, styles, tags and expressions are texts.
  const texts = Object.entries(COMPONENTS).flatMap(([path, source]) => {
    if (path.endsWith("/Sitting.svelte")) return []; // The lab's page around a seat.
    let markup = source.replace(/<(script|style)[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, "");
    for (let before = ""; before !== markup; ) [before, markup] = [markup, markup.replace(/\{[^{}]*\}/g, "§")];
    const labels = [...markup.matchAll(/(?:aria-label|title|placeholder|label|alt)="([^"§]*[A-Za-z]{2}[^"§]*)"/g)].map(([, text]) => text!);
    return [...labels, ...markup.replace(/<[^>]*>/g, "§").split("§")].filter((text) => /[A-Za-z]{2}/.test(text)).map((text) => `${path}: ${text.trim()}`);
  });
  expect(Object.keys(COMPONENTS).length).toBeGreaterThan(30);
  expect(texts).toEqual([]);
});

test("values are filled in as they are", () => {
  setWords({ language: "en", words: { "participate.a": "{who} has {who} and {number}", plain: "{left}" } });
  expect(word("a", { who: "{number} $& <b>", number: 3 })).toBe("{number} $& <b> has {number} $& <b> and 3");
  expect(word("plain")).toBe("{left}");
  expect(word("toString")).toBe("toString");
  expect(named("option", "__proto__")).toBe("__proto__");
  expect(around("a", "number", { who: "x" })).toEqual(["x has x and ", ""]);
});

test("answers are told in German", () => {
  setWords({ language: "de", words: DE });
  const give = fieldsOf({ properties: { contribution: { type: "integer", minimum: 0, maximum: 20 } } });
  expect(answerText(give, { contribution: 12 }, "tokens")).toBe("12 Taler beitragen");
  expect(answerText(give, { contribution: 1 }, "coins")).toBe("1 Münze beitragen");
  const share = fieldsOf({ properties: { price: { type: "number", minimum: 0, maximum: 2.5 } } });
  expect(hint(share[0] as Parameters<typeof hint>[0])).toBe("Eine Zahl von 0 bis 2,5");
  expect(plain(-0.5)).toBe("−0,5");
});

const AGE: Asked = { name: "age", type: "number", choices: [], minimum: 16, maximum: 99, required: true };

test("numbers are read as people write them", () => {
  expect(["2.5", "2,5", " −3 ", "+4", "5."].map(numberOf)).toEqual([2.5, 2.5, -3, 4, 5]);
  expect(["", "1.000,5", "2e3", "zwei", "0x10", "Infinity", "--1"].map(numberOf)).toEqual(Array(7).fill(null));
});

test("entries are checked, and questions without an entry are left out", () => {
  expect(problemOf(AGE, "")).toBe("Please fill this in.");
  expect(problemOf({ ...AGE, required: false }, " ")).toBe("");
  expect(problemOf(AGE, "old")).toBe("Please enter a number.");
  expect(problemOf(AGE, "15")).toBe("This is not allowed. A number from 16 to 99 is.");
  expect(problemOf(AGE, "16")).toBe("");
  expect(problemOf({ ...AGE, type: "scale" }, "")).toBe("Choose one.");
  expect([rangeText(null, null), rangeText(1, null), rangeText(null, 2)]).toEqual(["", "A number from 1", "A number up to 2"]);
  const questions: Asked[] = [AGE, { ...AGE, name: "mood", type: "scale" }, { ...AGE, name: "why", type: "text" }, { ...AGE, name: "none", type: "text" }];
  expect(valuesOf(questions, { age: "20", mood: "3", why: "so", none: " " })).toEqual({ age: 20, mood: 3, why: "so" });
});

test("money is written in the language of the page", () => {
  expect(money("3.5", "EUR")).toBe("€3.50");
  expect(money("3.5", "tokens of mine")).toBe("3.5 tokens of mine");
  setWords({ language: "de", words: DE });
  expect(money("3.5", "EUR").replace(/\s/g, " ")).toBe("3,50 €");
  expect(decimal(-1234.567)).toBe("−1.234,57");
});

test("the address names the code, the link and the parameters", () => {
  expect(placeOf({ pathname: "/join/AB2CD3", hash: "#se-cret_1", search: "?PROLIFIC_PID=x&STUDY_ID=y" })).toEqual({
    code: "AB2CD3", link: "se-cret_1", parameters: { PROLIFIC_PID: "x", STUDY_ID: "y" },
  });
  expect(placeOf({ pathname: "/lab/join/ab%2Fc/", hash: "", search: "" })).toEqual({ code: "ab/c", link: "", parameters: {} });
  expect(placeOf({ pathname: "/join", hash: "#bad token", search: "" })).toMatchObject({ code: "", link: "" });
  expect(placeOf({ pathname: "/join/%E0%A4%A", hash: "", search: "" }).code).toBe("%E0%A4%A");
});

function storage(): Storage {
  const items = new Map<string, string>();
  return { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, text: string) => void items.set(key, text), removeItem: (key: string) => void items.delete(key) } as Storage;
}

test("a join request is repeated with the same key until it has given a place", () => {
  const place = { code: "AB23CD", link: "", parameters: {} };
  const key = joinKey(place, "ann");
  expect(key.length).toBeGreaterThanOrEqual(22);
  expect(joinKey(place, "ann")).toBe(key);
  expect(joinKey(place, "ben")).not.toBe(key);
  dropJoinKey(place, "ann");
  expect(joinKey(place, "ann")).not.toBe(key);
});

test("a token is kept for each link, and a tab knows whether it is its own", () => {
  const local = storage();
  vi.stubGlobal("window", { sessionStorage: storage(), localStorage: local });
  const place = placeOf({ pathname: "/join/ABC", hash: "#secret", search: "" });
  expect(storedToken(place)).toBeNull();
  storeToken(place, "token");
  expect(storedToken(place)).toEqual({ token: "token", own: true });
  expect(storedToken({ ...place, link: "" })).toBeNull();
  expect(tokenKey(place)).not.toContain("secret");
  vi.stubGlobal("window", { sessionStorage: storage(), localStorage: local });
  expect(storedToken(place)).toEqual({ token: "token", own: false });
  dropToken(place, "another");
  expect(storedToken(place)).not.toBeNull();
  dropToken(place, "token");
  expect(storedToken(place)).toBeNull();
});

test("a trace has counts and times, and nothing that was typed", () => {
  let now = 1000;
  const recorder = new TraceRecorder(() => now);
  now += 1500;
  for (const key of ["Tab", "Shift", "a", "Backspace"]) recorder.key(key);
  recorder.entered("a");
  recorder.entered(null);
  now += 500;
  expect(recorder.read()).toEqual({ pastes: 0, keys: 2, characters: 1, focus_lost: 0, first_key_s: 1.5, total_s: 2 });
  recorder.begin();
  expect(recorder.read()).toEqual({ pastes: 0, keys: 0, characters: 0, focus_lost: 0, first_key_s: null, total_s: 0 });
});

function state(version: number, page: SessionPage, more: Partial<ParticipantState> = {}): ParticipantState {
  return {
    version, session: { title: "A class", language: "en" }, participant: "person-07", label: null, progress: { step: 1, steps: 5 },
    connected_elsewhere: false, notice: null, paused: false, traces: false, instructions: null, page, ...more,
  };
}
const WAITING: SessionPage = { kind: "waiting", reason: "" };

function game(version: number, question: string | null, label = "P1"): SessionPage {
  const seat = {
    state: question ? "asked" : "waiting", version, game: "x", clock: "round", unit: "tokens", title: "X", label, seats: 2, progress: null, rules: "", decided: [],
    missed: 0, result: null, reason: null,
    question: question ? { id: question, turn: 1, phase: "x", text: "?", earlier: [], form: [], answer: {}, limit: 60, left: 30, refused: null } : null,
  } as SeatState;
  return { kind: "game", practice: false, title: "X", label, seats: 2, seat };
}

test("outdated states are ignored, and the seat of the next table is a new one", () => {
  const session = new Participation("t");
  session.take(state(5, game(8, "1-x")));
  session.take(state(4, WAITING));
  expect(session.seat?.state?.question?.id).toBe("1-x");
  expect(session.seat!.deadline).toBeGreaterThan(Date.now());
  session.take(state(6, game(1, null, "P2")));
  expect(session.seat?.state).toMatchObject({ version: 1, label: "P2" });
  expect(session.seat?.latest).toBeNull();
  session.take(state(7, WAITING));
  expect(session.seat).toBeNull();
});

test("pages that follow each other have different keys", () => {
  expect(pageKey(game(1, null))).toBe(pageKey(game(2, "2-x")));
  expect(pageKey(game(1, null))).not.toBe(pageKey({ ...game(1, null), practice: true } as SessionPage));
  expect(pageKey({ kind: "text", name: "welcome", title: "", text: "", game: null })).not.toBe(pageKey({ kind: "text", name: "instructions", title: "", text: "", game: null }));
});

function reply(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

test("a step is sent with the token in a header, and its reply is the next page", async () => {
  const requests: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => (requests.push([address, init]), Promise.resolve(reply(200, state(2, WAITING)))));
  const session = new Participation("secret");
  session.take(state(1, { kind: "text", name: "welcome", title: "", text: "", game: null }));
  expect(await session.step("text")).toBe(true);
  expect(session.state?.page.kind).toBe("waiting");
  const [address, init] = requests[0]!;
  expect(address).not.toContain("secret");
  expect((init.headers as Record<string, string>)["Ostrom-Participant"]).toBe("secret");
  expect(JSON.parse(init.body as string)).toMatchObject({ page: "text", name: "welcome", values: {}, trace: null });
});

test("a refused step keeps its reason, and a lost one says that the input is kept", async () => {
  const session = new Participation("t");
  session.take(state(1, { kind: "consent", text: "", version: "1", required: true }));
  vi.stubGlobal("fetch", () => Promise.resolve(reply(422, { detail: "that is not it" })));
  expect(await session.step("consent", { agreed: true })).toBe(false);
  expect(session.problem).toBe("that is not it");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
  expect(await session.step("consent", { agreed: true })).toBe(false);
  expect([session.gone, session.problem]).toEqual([true, word("answer_unsent")]);
  expect(session.busy).toBe(false);
  session.take(state(2, WAITING));
  expect([session.gone, session.problem]).toEqual([false, ""]);
});

test("a step that another window made first shows the page that is open now", async () => {
  const session = new Participation("t");
  session.take(state(1, { kind: "consent", text: "", version: "1", required: true }));
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => Promise.resolve(init.method === "POST" ? reply(409, { detail: "another page" }) : reply(200, state(3, WAITING))));
  expect(await session.step("consent", { agreed: true })).toBe(false);
  expect(session.state?.page.kind).toBe("waiting");
  expect(session.problem).toBe("");
});
