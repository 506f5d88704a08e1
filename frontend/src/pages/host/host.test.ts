import { expect, test, vi } from "vitest";

import { actionKey, FollowedSession } from "./following.svelte";
import { samplePerson, sampleSession, sampleTable } from "./fixture";
import { duration, figureOf, intervalOf, linesOf, pictureAddress, placeOfTable, quizWords, stillPlaying, tableTitle, turnWords } from "./listing";
import { catalogues, firstLanguage, nameOf, wordsOf } from "./words";

const en = wordsOf("en");
const de = wordsOf("de");

test("both languages have the same gaps in every text", () => {
  const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort();
  for (const [key, text] of Object.entries(catalogues.en)) {
    const other = catalogues.de[key as keyof typeof catalogues.de];
    expect(other, key).toBeTruthy();
    expect(gaps(other), key).toEqual(gaps(text));
  }
});

test("a gap without a value stays, and a value is not searched for gaps", () => {
  expect(en("waitingFor")).toBe("waits for {names}");
  expect(en("waitingFor", { names: "{names}" })).toBe("waits for {names}");
});

test("an unknown name of the server is shown as it is", () => {
  expect(nameOf(de, "page", "lobby")).toBe("Warteraum");
  expect(nameOf(de, "page", "new_page")).toBe("new page");
  expect(nameOf(de, "page", "__proto__")).toBe("  proto  ");
});

test("the language is the stored one, then German for a German browser", () => {
  expect(firstLanguage("en", ["de-AT"])).toBe("en");
  expect(firstLanguage(null, ["de-AT", "en"])).toBe("de");
  expect(firstLanguage("fr", ["fr"])).toBe("en");
});

test("a duration is in seconds up to a minute and a half", () => {
  expect(duration(en, 89.9)).toBe("89 s");
  expect(duration(de, 200)).toBe("3 min");
  expect(duration(en, -3)).toBe("0 s");
});

test("a participant's lines say whom they wait for, by label", () => {
  const state = sampleSession({ participants: [samplePerson("person-01", { label: "A1" }), samplePerson("person-02")] });
  const waiting = samplePerson("person-02", { page: "game", waiting_for: ["person-01", "P4"] });
  expect(linesOf(en, waiting, state, 0)).toEqual([{ text: "waits for A1, P4", tone: "plain" }]);
});

test("time goes on between states, but not while the table is paused", () => {
  const one = samplePerson("person-01", { page: "game", table: "g1/table 1/1", answering_since_s: 10, left_s: 50 });
  const state = sampleSession();
  expect(linesOf(en, one, state, 5).map(({ text }) => text)).toEqual(["answering for 15 s, 45 s left"]);
  const paused = sampleSession({ tables: [sampleTable("g1/table 1/1", { paused: true })] });
  expect(linesOf(de, one, paused, 5).map(({ text }) => text)).toEqual(["Angehalten", "antwortet seit 10 s, noch 50 s"]);
});

test("a person who has finished has an outcome, and no clock", () => {
  const one = samplePerson("person-01", { outcome: "unmatched", absent_since_s: 300, replaced_by: "Reciprocator" });
  expect(linesOf(en, one, sampleSession(), 0).map(({ text }) => text)).toEqual(["replaced by Reciprocator", "Released, no group"]);
  expect(stillPlaying(sampleSession({ participants: [one, samplePerson("person-02")] }))).toBe(1);
});

test("the quiz says how many are right, and if it was not passed", () => {
  expect(quizWords(en, samplePerson("a"))).toBe("–");
  expect(quizWords(en, samplePerson("a", { quiz: { right: 1, questions: 2, attempts: 3, passed: false } }))).toBe("1 of 2 right, attempt 3, not passed");
});

test("a table is named by its game, its place and its group", () => {
  const table = sampleTable("practice/g1/table 1/2", { practice: true, group: 2 });
  expect(tableTitle(de, table)).toBe("Voluntary contributions (Übung) 1.2");
  expect(placeOfTable(de, table, sampleSession({ tables: [table] }))).toBe("(Übung) 1.2");
  expect(placeOfTable(en, table, sampleSession({ tables: [table, sampleTable("g2", { game: "g2" })] }))).toBe("Voluntary contributions (practice) 1.2");
  expect(turnWords(en, table)).toBe("3 of 10");
  expect(turnWords(en, sampleTable("k", { turns: null }))).toBe("3");
  expect(turnWords(en, sampleTable("k", { turn: null }))).toBe("–");
});

test("a picture cannot leave its address", () => {
  expect(pictureAddress('<svg id="a#b"/>')).toBe("data:image/svg+xml,%3Csvg%20id%3D%22a%23b%22%2F%3E");
});

test("an outdated state is ignored, and a link that cannot be a token opens nothing", () => {
  const session = new FollowedSession("bad token");
  session.follow();
  expect(session.denied?.status).toBe(401);
  session.take(sampleSession({ version: 5 }));
  session.take(sampleSession({ version: 4 }));
  expect(session.state?.version).toBe(5);
});

test("actions on different tables are told apart", () => {
  expect(actionKey({ action: "extend", table: "a" })).not.toBe(actionKey({ action: "extend", table: "b" }));
  expect(actionKey({ action: "extend", participant: "a" })).not.toBe(actionKey({ action: "extend", table: "a" }));
});

test("a click that comes before the reply to another waits for it, and a second click on the same action has no effect", async () => {
  const sent: string[] = [];
  const replies: (() => void)[] = [];
  vi.stubGlobal("fetch", async (_address: string, init: RequestInit) => {
    sent.push((JSON.parse(String(init.body)) as { action: string }).action);
    await new Promise<void>((resolve) => replies.push(resolve));
    return Response.json({ state: sampleSession({ version: sent.length }), link: null });
  });
  const session = new FollowedSession("token");
  const acts = [session.act({ action: "pause" }), session.act({ action: "resume" }), session.act({ action: "pause" })];
  await vi.waitFor(() => expect(sent).toEqual(["pause"]));
  replies[0]?.();
  await vi.waitFor(() => expect(sent).toEqual(["pause", "resume"]));
  replies[1]?.();
  expect((await Promise.all(acts)).map((reply) => reply?.state.version)).toEqual([1, 2, undefined]);
  expect(session.busy).toBeNull();
  vi.unstubAllGlobals();
});

test("a share is a percentage, and an open interval is missing", () => {
  expect(figureOf(0.3333, "share")).toBe("33.3 %");
  expect(figureOf(-2.345, "tokens")).toBe("−2.35");
  expect(figureOf(null, "share")).toBe("–");
  expect(intervalOf({ low: 0.1, high: 0.4 }, "share")).toBe("10 % – 40 %");
  expect(intervalOf({ low: null, high: 0.4 }, "share")).toBe("–");
});
