"""The replay of a game in a browser: controls, and numbers equal to the record's."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

import ostrom
from kept import opened, punish
from ostrom.games.commons import CommonsRules
from ostrom.journal.record import GameRecord

TURNS = 60
PLAYERS = ["Justicier:3", "Parasite", "AlwaysBetray", "RandomPlayer", "TitForTat", "Pavlov"]

READ = """() => {
  const all = [...document.querySelectorAll('[data-testid]')];
  const of = (value) => Object.fromEntries(all.map((one) => [one.dataset.testid, value(one)]));
  return [of((one) => one.dataset.value ?? one.dataset.rank), of((one) => one.textContent)];
}"""
"""All numbers of the page at one moment: as they are, and as they are shown."""


class Kept(NamedTuple):
    """A game on a server."""

    address: str
    record: GameRecord

    def turn(self, number: int) -> dict[str, Any]:
        """The values of the record at a turn, counted from 1."""
        return [event for event in self.record.events if event["event"] == "turn_played"][number - 1]

    def seen_after(self, number: int) -> int:
        """The number of events until the end of a turn."""
        return sum(event["turn"] <= number for event in self.record.events)

    def news(self, event: str) -> int:
        """The turn of the first event of this name."""
        return next(one["turn"] for one in self.record.events if one["event"] == event)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('replay')}/journal.db"


@pytest.fixture(scope="module")
def base(served: Callable[..., str], store: str) -> str:
    """The address of a server whose journal has games of the Commons, one of them without a known end, one without a
    stage of its own and a task of the battery."""
    with opened(store) as journal:
        experiment = journal.new_experiment("games", kind="commons")
        journal.add_game(experiment, _commons(), key="commons")
        journal.add_game(experiment, punish(), key="punish")
        ultimatum = ostrom.play(["selfish", "fehr-schmidt"], game="ultimatum", seed=1)
        journal.add_game(experiment, ostrom.record_of(ultimatum), key="ultimatum")
        stated = ostrom.play(["fehr-schmidt"], game="stated_dictator", seed=1)
        journal.add_game(experiment, ostrom.record_of(stated), key="stated")
        endless = ostrom.play(PLAYERS, rules=CommonsRules(duration=20), seed=6)
        journal.add_game(experiment, ostrom.record_of(endless), key="endless")
    return served(store)


def _commons() -> GameRecord:
    return ostrom.record_of(ostrom.play(PLAYERS, rules=CommonsRules(turns=TURNS), seed=5))


@pytest.fixture(scope="module")
def game(base: str) -> Kept:
    return Kept(f"{base}#/games/commons", _commons())


@pytest.fixture
def replay(page: Page, game: Kept) -> Page:
    """The page of the Commons game, before its first turn."""
    page.goto(game.address)
    expect(page.get_by_test_id("turn")).to_have_attribute("data-value", "0")
    return page


def the_numbers_are_the_records(page: Page, game: Kept, turn: int) -> None:
    """All numbers on the page are those of the record at this turn, to the last digit."""
    expect(page.get_by_test_id("turn")).to_have_attribute("data-value", str(turn))
    told = game.turn(turn)
    shown, texts = page.evaluate(READ)
    for name in ("synergy", "alpha", "cooperation", "pot", "erosion"):
        assert float(shown[name]) == told[name], f"{name} of turn {turn}"
    seats = range(len(game.record.seats))
    for name, field in (("capital", "capitals"), ("gain", "gains"), ("contribution", "contributions")):
        # A seat that is out has no share in the turn, and shows none.
        there = [seat for seat in seats if told["present"][seat] or name == "capital"]
        assert [float(shown[f"{name}-{seat}"]) for seat in there] == [told[field][seat] for seat in there]
    # What a reader sees are these numbers, rounded.
    assert [texts[f"capital-{seat}"] for seat in seats] == [f"{capital:,.2f}" for capital in told["capitals"]]
    ranked = sorted(seats, key=lambda seat: int(shown[f"row-{seat}"]))
    capitals = [round(told["capitals"][seat], 6) for seat in ranked]
    assert capitals == sorted(capitals, reverse=True)


def _value(page: Page, name: str) -> float:
    return float(page.get_by_test_id(name).get_attribute("data-value") or "nan")


def scrub_to(page: Page, turn: int) -> None:
    """Move the slider, as a finger would."""
    page.get_by_test_id("scrub").fill(str(turn))


@pytest.mark.slow
def test_before_the_first_turn_nobody_holds_anything(replay: Page, game: Kept) -> None:
    assert _value(replay, "capital-0") == 0
    assert _value(replay, "synergy") == game.record.rules["synergy"]
    expect(replay.get_by_test_id("moment")).to_have_text("Before the first turn")
    expect(replay.get_by_test_id("cooperation")).to_have_text("–")


def test_the_numbers_at_every_turn_are_those_of_the_record(replay: Page, game: Kept) -> None:
    for turn in (1, 2, game.news("seat_excluded"), 31, TURNS):
        scrub_to(replay, turn)
        the_numbers_are_the_records(replay, game, turn)


def test_a_replay_plays_pauses_and_ends(replay: Page, game: Kept) -> None:
    replay.get_by_test_id("speed").select_option("10")
    replay.get_by_role("button", name="Play").click()
    expect(replay.get_by_test_id("turn")).not_to_have_attribute("data-value", "0")
    replay.get_by_role("button", name="Pause").click()
    paused = int(_value(replay, "turn"))
    assert 0 < paused < TURNS
    replay.wait_for_timeout(300)
    the_numbers_are_the_records(replay, game, paused)
    replay.get_by_test_id("speed").select_option("60")
    replay.get_by_role("button", name="Play").click()
    expect(replay.get_by_test_id("moment")).to_have_text(f"Turn {TURNS}, the last")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    the_numbers_are_the_records(replay, game, TURNS)
    # From the end it begins anew.
    replay.get_by_test_id("speed").select_option("0.5")
    replay.get_by_role("button", name="Play").click()
    expect(replay.get_by_test_id("turn")).to_have_attribute("data-value", "0")


@pytest.mark.slow
def test_a_replay_is_stepped_by_buttons(replay: Page, game: Kept) -> None:
    expect(replay.get_by_role("button", name="Step back")).to_be_disabled()
    for turn in (1, 2, 3):
        replay.get_by_role("button", name="Step forward").click()
        the_numbers_are_the_records(replay, game, turn)
    replay.get_by_role("button", name="Step back").click()
    the_numbers_are_the_records(replay, game, 2)


@pytest.mark.slow
def test_a_replay_is_played_by_keys_alone(replay: Page, game: Kept) -> None:
    turn = replay.get_by_test_id("turn")
    replay.locator("main").focus()
    for key, after in (("ArrowRight", 1), ("Shift+ArrowRight", 10), ("Shift+ArrowRight", 20), ("ArrowLeft", 19)):
        replay.keyboard.press(key)
        expect(turn).to_have_attribute("data-value", str(after))
    for key, after in (("Shift+ArrowLeft", 10), ("End", TURNS), ("Home", 0)):
        replay.keyboard.press(key)
        expect(turn).to_have_attribute("data-value", str(after))
    speed = replay.get_by_test_id("speed")
    speed.select_option("10")
    replay.locator("main").focus()
    replay.keyboard.press("+")
    expect(speed).to_have_value("20")
    replay.keyboard.press("-")
    expect(speed).to_have_value("10")
    replay.keyboard.press(" ")
    expect(turn).not_to_have_attribute("data-value", "0")
    replay.keyboard.press(" ")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    the_numbers_are_the_records(replay, game, int(_value(replay, "turn")))


@pytest.mark.slow
def test_keys_in_a_field_belong_to_the_field(replay: Page) -> None:
    replay.get_by_test_id("speed").focus()
    replay.keyboard.press("ArrowRight")
    replay.keyboard.press("End")
    assert _value(replay, "turn") == 0


@pytest.mark.slow
def test_the_address_keeps_the_moment(replay: Page, game: Kept) -> None:
    scrub_to(replay, 17)
    replay.wait_for_url(re.compile(rf"at={game.seen_after(17)}$"))
    replay.reload()
    the_numbers_are_the_records(replay, game, 17)
    replay.goto(f"{game.address}?at={game.seen_after(40)}")
    the_numbers_are_the_records(replay, game, 40)
    # A moment within a turn is that turn, and one beyond the end the end.
    replay.goto(f"{game.address}?at={game.seen_after(3) + 1}")
    the_numbers_are_the_records(replay, game, 4)
    replay.goto(f"{game.address}?at=999999")
    the_numbers_are_the_records(replay, game, TURNS)


@pytest.mark.slow
def test_a_moment_leaves_no_trail_in_the_history(page: Page, base: str, game: Kept) -> None:
    page.goto(base)
    page.goto(game.address)
    expect(page.get_by_test_id("turn")).to_be_visible()
    for turn in (5, 6, 7):
        scrub_to(page, turn)
    page.wait_for_url(re.compile(r"at=\d+$"))
    page.go_back()
    expect(page.get_by_test_id("turn")).to_have_count(0)


@pytest.mark.slow
def test_a_click_in_a_chart_goes_to_its_turn(replay: Page, game: Kept) -> None:
    figures = replay.locator("figure .panel")
    assert figures.count() == 5
    for place in range(5):
        scrub_to(replay, 0)
        figure = figures.nth(place)
        figure.scroll_into_view_if_needed()
        box = figure.bounding_box()
        assert box is not None
        figure.click(position={"x": box["width"] / 2, "y": 30})
        turn = int(_value(replay, "turn"))
        assert 0.3 * TURNS < turn < 0.8 * TURNS
        the_numbers_are_the_records(replay, game, turn)


@pytest.mark.slow
def test_the_transcript_has_all_of_the_game_and_leads_to_its_moments(replay: Page, game: Kept) -> None:
    scrub_to(replay, TURNS)
    transcript = replay.get_by_test_id("transcript")
    expect(transcript.locator("[aria-current]")).to_contain_text("end after turn")
    excluded = game.news("seat_excluded")
    gone = next(event["seat"] for event in game.record.events if event["event"] == "seat_excluded")
    line = transcript.locator("li.line").filter(has_text=re.compile(r"excluded", re.IGNORECASE)).first
    expect(line).to_contain_text(game.record.seats[gone].player)
    line.get_by_role("button").click()
    the_numbers_are_the_records(replay, game, excluded)
    expect(replay.get_by_test_id(f"row-{gone}")).to_contain_text("out")
    # A click anywhere in a line does the same, and the line that is shown is in sight.
    first = transcript.locator("li.line").first
    first.click(position={"x": 20, "y": 4})
    the_numbers_are_the_records(replay, game, 1)
    expect(first).to_have_attribute("aria-current", "step")
    scrub_to(replay, 40)
    shown = transcript.locator("[aria-current]")
    expect(shown).to_contain_text("Turn 40")
    assert shown.evaluate(
        "one => { const [a, b] = [one, one.parentElement].map((e) => e.getBoundingClientRect());"
        " return a.top >= b.top && a.bottom <= b.bottom; }"
    )


@pytest.mark.slow
def test_key_moments_are_marked_on_the_axis_and_reached_by_key(replay: Page, game: Kept) -> None:
    flags = replay.get_by_role("list", name="Key moments").get_by_role("button")
    expect(flags.filter(has=replay.locator("[data-kind=exclusion]")).first).to_have_accessible_name(
        re.compile(r"^Exclusion: Turn \d+: P\d is out$")
    )
    replay.locator("main").focus()
    replay.keyboard.press("n")
    first = replay.locator("[data-testid=flag][aria-current]").first
    expect(first).to_be_visible()
    first.focus()
    expect(replay.locator(".axis .label")).to_contain_text(re.compile("turn", re.IGNORECASE))
    replay.keyboard.press("End")
    replay.keyboard.press("p")
    expect(replay.get_by_test_id("turn")).not_to_have_attribute("data-value", str(TURNS))


@pytest.mark.slow
def test_a_step_is_told_to_who_listens(replay: Page, game: Kept) -> None:
    heard = replay.get_by_test_id("spoken")
    expect(heard).to_have_attribute("aria-live", "polite")
    replay.get_by_role("button", name="Step forward").click()
    expect(heard).to_contain_text(re.compile(r"^Turn 1\. pot .* leads? with "))
    scrub_to(replay, game.news("seat_excluded"))
    expect(heard).to_contain_text("Exclusion.")
    expect(heard).to_contain_text(re.compile(r"P\d leaves by \d+ votes"))


@pytest.mark.slow
def test_an_axis_shows_nothing_of_what_is_to_come(page: Page, base: str) -> None:
    page.goto(f"{base}#/games/endless")
    turn = page.get_by_test_id("turn")
    expect(turn).to_have_text("0")
    picture = page.locator("figure canvas").first
    before = picture.evaluate("one => one.toDataURL()")
    page.keyboard.press("ArrowRight")
    expect(turn).to_have_text("1")
    page.keyboard.press("End")
    expect(turn).to_have_text(re.compile(r"^(\d+)\s*of \1$"))
    assert picture.evaluate("one => one.toDataURL()") != before


@pytest.mark.slow
def test_a_moment_is_bookmarked_and_noted_and_the_note_is_kept(page: Page, base: str) -> None:
    page.goto(f"{base}#/games/punish?at=3")
    transcript = page.get_by_test_id("transcript")
    transcript.get_by_role("button", name="Note", exact=True).click()
    transcript.get_by_label("Note at").fill("a <b>broken</b> promise?")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")  # in haste; there is one note
    note = transcript.get_by_test_id("note")
    expect(note).to_contain_text("a <b>broken</b> promise?")
    expect(page.get_by_role("button", name="Note: a <b>broken</b> promise?")).to_be_visible()
    page.reload()
    expect(note).to_contain_text("promise?")
    note.get_by_role("button", name="Edit").click()
    transcript.get_by_label("Note at").fill("kept after all")
    page.keyboard.press("Control+Enter")
    expect(note).to_contain_text("kept after all")
    note.get_by_role("button", name="Delete").click()
    expect(note).to_have_count(0)
    page.locator("main").focus()
    for _ in range(4):
        page.keyboard.down("b")  # held down, it is one bookmark
    page.keyboard.up("b")
    expect(note).to_contain_text("Bookmark")
    expect(page.get_by_role("button", name="Bookmark: Round 1")).to_be_visible()


@pytest.mark.slow
def test_two_games_are_stepped_together_round_by_round(page: Page, base: str) -> None:
    page.goto(f"{base}#/games/commons/beside")
    page.get_by_role("link", name=re.compile("commons-1.5")).click()
    two = page.get_by_test_id("two-games").locator("> section")
    expect(two).to_have_count(2)
    expect(two.first.get_by_test_id("turn")).to_have_attribute("data-value", "0")
    page.get_by_role("button", name="Step forward").click()
    page.keyboard.press("ArrowRight")
    for side in range(2):
        expect(two.nth(side).get_by_test_id("turn")).to_have_attribute("data-value", "2")
    page.wait_for_url(re.compile(r"round=2$"))
    page.goto(page.url.replace("round=2", "round=3"))  # a link to another round of the same games
    expect(two.first.get_by_test_id("turn")).to_have_attribute("data-value", "3")
    page.go_back()
    expect(two.first.get_by_test_id("turn")).to_have_attribute("data-value", "2")
    page.get_by_label("Same as the system").focus()
    page.keyboard.press("ArrowLeft")  # chooses a theme
    expect(page.get_by_label("Same as the system")).not_to_be_checked()
    expect(two.first.get_by_test_id("turn")).to_have_attribute("data-value", "2")
    page.locator("main").focus()
    speed = page.get_by_test_id("speed")
    before = speed.input_value()
    page.keyboard.press("+")
    expect(speed).not_to_have_value(before)
    before = speed.input_value()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch").click()
    page.keyboard.press("Escape")
    page.locator("main").focus()
    page.keyboard.press("+")
    expect(speed).to_have_value(before)
    left, right = (two.nth(side).bounding_box() for side in range(2))
    assert left is not None
    assert right is not None
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    left, right = (two.nth(side).bounding_box() for side in range(2))
    assert left is not None
    assert right is not None
    assert left["y"] + left["height"] <= right["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_record_can_be_taken_home(replay: Page, game: Kept) -> None:
    with replay.expect_download() as download:
        replay.get_by_role("button", name="Download record").click()
    taken = GameRecord.model_validate_json(download.value.path().read_bytes())
    same = {"game", "seed", "number", "rules", "answers", "events"}
    assert [seat.player for seat in taken.seats] == [seat.player for seat in game.record.seats]
    assert taken.model_dump(include=same) == game.record.model_dump(include=same)
    assert taken.scene is not None
    assert len(taken.told) == len(taken.events)


@pytest.mark.slow
def test_the_table_is_seen_whole_on_a_projector(new_page: Callable[..., Page], base: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{base}#/games/punish?at=3")
    for seat in range(3):
        expect(page.get_by_test_id(f"held-{seat}")).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("scrub")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), [("punish", "held-0"), ("commons", "turn")])
def test_a_replay_fills_the_screen_with_its_controls(page: Page, base: str, name: str, first: str) -> None:
    page.goto(f"{base}#/games/{name}")
    full, step = page.get_by_role("button", name="Full screen"), page.get_by_role("button", name="Step forward")
    page.get_by_test_id(first).wait_for()
    page.keyboard.press("f")
    expect(full).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.fullscreenElement?.className.includes('replay')")
    expect(step).to_be_in_viewport(ratio=1)
    page.keyboard.press("End")
    expect(page.get_by_test_id("scrub")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.fullscreenElement.scrollWidth <= innerWidth")
    full.click()
    expect(full).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("document.fullscreenElement") is None


@pytest.mark.slow
def test_a_game_without_a_stage_is_told_in_words(page: Page, base: str) -> None:
    page.goto(f"{base}#/games/ultimatum")
    told = page.get_by_test_id("transcript")
    expect(told).to_contain_text("P1 selfish offers P2 fehr-schmidt")
    expect(page.get_by_test_id("payoff-0")).to_be_visible()
    expect(page.get_by_role("region", name="Table of answers")).to_contain_text("proposer")
    page.get_by_role("button", name="Step back").click()
    expect(page.get_by_test_id("payoff-0")).to_have_count(0)


@pytest.mark.slow
def test_a_task_of_the_battery_shows_its_items_and_leads_to_the_card(page: Page, base: str) -> None:
    page.goto(f"{base}#/games/stated")
    expect(page.get_by_role("region", name="Table of items")).to_contain_text("giver")
    expect(page.get_by_role("link", name="Subject’s card")).to_have_attribute(
        "href", re.compile(r"^#/subjects/fehr-schmidt\?experiment=")
    )
    page.get_by_role("button", name="Step back").click()
    expect(page.get_by_test_id("moment")).to_have_text(re.compile(r"^Item \d+$"))


@pytest.mark.slow
def test_a_game_that_is_not_there_is_said_in_one_line(page: Page, base: str, allowed: list[str]) -> None:
    allowed.append("404")
    page.goto(f"{base}#/games/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("nowhere")
