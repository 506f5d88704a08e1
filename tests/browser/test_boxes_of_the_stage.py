"""Texts, cards and arrows of a stage do not overlap, at any width and with long names and messages."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

import ostrom
from foreign_data import ROOT
from kept import commons, opened
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.importers.pgg_bench import import_logs
from ostrom.journal.record import GameRecord

pytestmark = pytest.mark.slow

WIDTHS = (360, 768, 1000, 1024, 1152, 1440)
REAL = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data")) / "pgg_bench"
LONGEST_GAMES = 20
TABLE = ["ConditionalCooperator", "FreeRider", "Retaliator", "AltruisticPunisher", "RandomGiver"]

OVERLAPS = """async (places) => {
  const scrub = document.querySelector("[data-testid=scrub]");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const inside = (box, other) => ({
    left: Math.max(box.left, other.left), top: Math.max(box.top, other.top),
    right: Math.min(box.right, other.right), bottom: Math.min(box.bottom, other.bottom),
  });
  const CARDS = ".table .place, .table .speech, .table .label, .table .centre, section > ul > li";
  // What of an element can be seen, and whether it sticks where it is while others scroll; looked up once for each.
  let views = new Map();
  function view(element) {
    if (element.matches(".stage")) return { box: { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }, sticks: false };
    if (!views.has(element)) {
      const { box, sticks } = view(element.parentElement);
      const { overflow, clipPath, position } = getComputedStyle(element);
      const cuts = overflow !== "visible" || clipPath !== "none";
      views.set(element, {
        box: cuts ? inside(box, element.getBoundingClientRect()) : box,
        sticks: sticks || position === "sticky",
      });
    }
    return views.get(element);
  }
  const clipped = (element, box) => inside(box, view(element).box);
  const seen = ({ left, top, right, bottom }) => right - left > 2 && bottom - top > 4;
  function things(stage) {
    const found = [];
    for (const card of stage.querySelectorAll(CARDS)) {
      const box = card.getBoundingClientRect();
      const text = `card ${card.textContent.trim().slice(0, 30)}`;
      if (box.width && box.height) found.push({ owner: card, box: clipped(card.parentElement, box), text, slack: 1 });
    }
    const walk = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const owner = node.parentElement;
      if (!node.data.trim() || owner.closest(".visually-hidden, style, script") || view(owner).sticks) continue;
      if (!seen(clipped(owner, owner.getBoundingClientRect()))) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects())
        // Letters are lower than the boxes that browsers give them: two lines of one text may share a hair.
        found.push({ owner, box: clipped(owner, rect), text: node.data.trim().slice(0, 30), slack: 3, letters: true });
    }
    return found.filter(({ box }) => seen(box));
  }
  // What arrows and bands of a table lead over. A label stands on its line.
  const LINES = ".table .arrow, .table .flow";
  function* pointsOf(line) {
    const turned = line.getScreenCTM();
    const length = line.getTotalLength();
    for (let far = 0; far <= length; far += 4) yield line.getPointAtLength(far).matrixTransform(turned);
  }
  function crossed(stage, all) {
    const cards = all.filter(({ owner }) => !owner.closest(".label"));
    const found = [];
    for (const line of stage.querySelectorAll(LINES)) {
      const under = new Set();
      for (const { x, y } of pointsOf(line))
        for (const { box, text } of cards)
          if (x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1) under.add(text);
      found.push(...[...under].map((text) => `${line.classList[0]} | ${text}`));
    }
    return found;
  }
  function overlaps() {
    views = new Map();
    const stages = [...document.querySelectorAll(".replay .stage")];
    const all = stages.flatMap(things);
    all.sort((one, other) => one.box.top - other.box.top);
    const holds = (one, other) => !one.letters && one.owner.contains(other.owner);
    const found = stages.flatMap((stage) => crossed(stage, all));
    for (let i = 0; i < all.length; i++)
      for (let j = i + 1; j < all.length && all[j].box.top < all[i].box.bottom; j++) {
        const [one, other] = [all[i], all[j]];
        if (one.owner === other.owner || holds(one, other) || holds(other, one)) continue;
        const both = inside(one.box, other.box);
        const slack = Math.max(one.slack, other.slack);
        if (both.right - both.left > 1 && both.bottom - both.top > slack) found.push(`${one.text} | ${other.text}`);
      }
    return found;
  }
  const wrong = [];
  for (const place of places) {
    scrub.value = place;
    scrub.dispatchEvent(new Event("input", { bubbles: true }));
    // What follows from a size that was measured comes some frames later; what lies there is what stays.
    for (let k = 0; k < 2; k++) await frame();
    let found = overlaps();
    for (let k = 0; found.length && k < 10; k++) {
      await new Promise((done) => setTimeout(done, 30));
      found = overlaps();
    }
    wrong.push(...found.map((text) => `${place}: ${text}`));
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the window");
  return wrong;
}"""
"""What lies on what at these places of the time axis."""


def talkative(seats: int) -> GameRecord:
    """A game in which all say as much as they may, under names without end."""
    rules = make_rules(CONTRIBUTE_PUNISH, {"rounds": 3})
    record = record_of(play((TABLE * 4)[:seats], game=CONTRIBUTE_PUNISH.name, rules=rules, seed=3))
    words = " ".join(["unconditionally"] * (rules.message_words - 1) + ["contribute" * 8])
    events = [event | {"text": words} if event["event"] == "message_said" else event for event in record.events]
    named = [
        seat.model_copy(update={"player": f"{seat.player}-reasoning_exp-2025-02-{seat.seat}"}) for seat in record.seats
    ]
    return record.model_copy(update={"events": events, "seats": named, "answers": []})


def telling_places(record: GameRecord) -> list[int]:
    """A moment of each kind, and those with the longest message and the most arrows."""
    kinds = {event["event"]: place + 1 for place, event in enumerate(record.events)}
    said = [(len(event.get("text", "")), place + 1) for place, event in enumerate(record.events)]
    return sorted({0, *kinds.values(), max(said)[1], next(iter(sorted(place for length, place in said if length)), 0)})


@pytest.fixture(scope="module")
def made(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, GameRecord]]:
    """A server with long games at tables of several sizes, and the games by their keys."""
    store = f"sqlite:///{tmp_path_factory.mktemp('boxes') / 'journal.db'}"
    games = {f"talk-{seats}": talkative(seats) for seats in (5, 9, 12, 16)} | {"commons": commons(turns=40)}
    games["trust"] = ostrom.record_of(ostrom.play(["selfish", "fehr-schmidt"], game="trust", seed=1))
    with opened(store) as journal:
        experiment = journal.new_experiment("long", kind="mixed")
        for key, record in games.items():
            journal.add_game(experiment, record, key=key)
    return served(store), games


def found_on(page: Page, address: str, places: list[int], widths: tuple[int, ...]) -> list[str]:
    """The overlaps at each of these widths; the page is opened once."""
    page.goto(address)
    page.get_by_test_id("scrub").wait_for()
    result = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        result += [f"{width} px, {line}" for line in page.evaluate(OVERLAPS, places)]
    return result


@pytest.mark.parametrize("key", ["talk-5", "talk-9", "talk-12", "talk-16", "commons", "trust"])
def test_nothing_lies_on_anything_else(
    new_page: Callable[..., Page], made: tuple[str, dict[str, GameRecord]], key: str
) -> None:
    base, games = made
    page = new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    places = telling_places(games[key]) if key.startswith("talk") else [0, 1, 2]
    assert found_on(page, f"{base}#/games/{key}", places, WIDTHS) == []


def test_the_measure_finds_what_lies_on_something(page: Page, made: tuple[str, dict[str, GameRecord]]) -> None:
    page.goto(f"{made[0]}#/games/talk-5?at=1")
    page.get_by_test_id("scrub").wait_for()
    assert page.evaluate(OVERLAPS, [1]) == []
    page.evaluate("for (const one of document.querySelectorAll('.table .place')) one.style.marginLeft = '-90px'")
    page.evaluate("document.querySelector('.table .place').style.marginTop = '90px'")
    assert page.evaluate(OVERLAPS, [1])


def test_the_measure_finds_an_arrow_that_leads_over_something(
    page: Page, made: tuple[str, dict[str, GameRecord]]
) -> None:
    base, games = made
    punished = next(place for place, event in enumerate(games["talk-5"].events) if event["event"] == "punished") + 1
    page.goto(f"{base}#/games/talk-5?at={punished}")
    page.locator(".table .arrow").first.wait_for()
    assert page.evaluate(OVERLAPS, [punished]) == []
    page.evaluate("document.querySelector('.table .arrow').setAttribute('d', 'M0 0L2000 2000')")
    assert any("arrow | " in line for line in page.evaluate(OVERLAPS, [punished]))


@pytest.fixture(scope="module")
def longest(
    served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[tuple[str, GameRecord]]]:
    """A server with the longest real games or, where there are none, with long ones at many tables."""
    store = f"sqlite:///{tmp_path_factory.mktemp('real') / 'journal.db'}"
    with opened(store) as journal:
        if REAL.is_dir():
            import_logs(sorted(REAL.glob("*.jsonl"), key=lambda log: log.stat().st_size)[-LONGEST_GAMES:], journal)
        else:
            experiment = journal.new_experiment("long", kind="mixed")
            for number in range(LONGEST_GAMES):
                journal.add_game(experiment, talkative(3 + number % 14), key=str(number))
        games = [(row.id, journal.record(row.id)) for row in journal.games()]
    return served(store), games


@pytest.mark.long
@pytest.mark.parametrize("number", range(LONGEST_GAMES))
def test_nothing_lies_on_anything_else_in_the_longest_real_games(
    new_page: Callable[..., Page], longest: tuple[str, list[tuple[str, GameRecord]]], number: int
) -> None:
    base, games = longest
    game, record = games[number]
    page = new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    places = list(range(len(record.events) + 1))
    assert found_on(page, f"{base}#/games/{game}", places, (*WIDTHS, 2560)) == []
