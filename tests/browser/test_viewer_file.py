"""The viewer as a file, and a replay in a notebook."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import ostrom
from ostrom.games.commons import CommonsRules
from ostrom.journal import GameRecord
from ostrom.journal.record import RecordedNote, record_text, with_tellings
from ostrom.web.pages import VIEWER, write_page

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
PLAYERS = ["Cooperator", "FreeRider", "AltruisticPunisher", "LeaderPunisher", "AntisocialPunisher"]
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
LONG = "w" * 100_000
HOSTILE = [
    "<script>window.ran = 1</script>",
    '<img src=x onerror="window.ran = 1"><svg onload="window.ran = 1">',
    "</script><script>window.ran = 1</script><!--",
    "javascript:window.ran=1 {{constructor.constructor('window.ran=1')()}}",
    "\u202egnihton\u202c \u2067\u2066 and no end of it",
    LONG,
]

DROP = """([name, text, size]) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([size ? new Uint8Array(size) : text], name, { type: "application/json" }));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def text_of(record: GameRecord) -> str:
    """A record's file, with how the game is told."""
    return record_text(with_tellings(record))


@pytest.fixture(scope="module")
def game() -> GameRecord:
    return ostrom.record_of(ostrom.play(PLAYERS, game="punish", seed=1))


@pytest.fixture
def offline(new_page: NewPage) -> Iterator[Callable[..., Page]]:
    """Opens a file with the network off; whatever is asked for is a file."""
    asked: list[str] = []

    def open_file(file: Path, address: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": WIDE, **options})
        page.context.set_offline(True)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{file.as_uri()}{address}")
        return page

    yield open_file
    assert [address for address in asked if not address.startswith("file:")] == []


@pytest.fixture
def viewer(offline: Callable[..., Page], pages: Path) -> Page:
    return offline(pages / VIEWER)


def drop(page: Page, text: str = "", *, name: str = "game.json", size: int = 0) -> None:
    """Drop a file on the page."""
    page.evaluate(DROP, [name, text, size])


def go_to(page: Page, seen: int) -> None:
    """Move the time axis, as a finger does."""
    page.get_by_test_id("scrub").fill(str(seen))
    expect(page.get_by_test_id("moment")).to_have_attribute("data-value", str(seen))


def value(page: Page, name: str) -> float:
    return float(page.get_by_test_id(name).get_attribute("data-value") or "nan")


def balances_after(record: GameRecord, seen: int) -> list[int]:
    """The holdings of each seat after this many events, from the record."""
    held = [record.rules["start"]] * len(record.seats)
    for event in record.events[:seen]:
        if event["event"] == "contributed":
            held = [had - gave for had, gave in zip(event["start"], event["contributions"], strict=True)]
        elif event["event"] == "punished":
            held[event["punisher"]] -= event["spend"]
            held[event["target"]] -= event["damage"]
        elif "balances" in event:
            held = list(event["balances"])
    return held


def test_a_dropped_record_is_replayed_and_the_numbers_are_those_of_the_record(viewer: Page, game: GameRecord) -> None:
    drop(viewer, text_of(game))
    expect(viewer.get_by_role("heading", name="Contribute & Punish")).to_be_visible()
    for seen in [*range(14), *range(14, len(game.events), 11), len(game.events)]:
        go_to(viewer, seen)
        shown = [value(viewer, f"balance-{seat}") for seat in range(5)]
        assert shown == balances_after(game, seen), game.events[seen - 1]
        if seen and "round" in game.events[seen - 1]:
            assert value(viewer, "round") == game.events[seen - 1]["round"]
    expect(viewer.get_by_test_id("moment")).to_have_text(re.compile(r"the end$"))


def test_each_kind_of_moment_is_told_in_words_and_in_the_middle_of_the_table(viewer: Page, game: GameRecord) -> None:
    drop(viewer, text_of(game))
    places = {event["event"]: place + 1 for place, event in reversed(list(enumerate(game.events)))}
    said = next(place for place, event in enumerate(game.events) if event.get("text"))
    go_to(viewer, said + 1)
    speaker = game.seats[game.events[said]["seat"]].label
    expect(viewer.get_by_test_id("moment")).to_have_text(f"Round 1, {speaker} speaks")
    expect(viewer.get_by_label("The table").get_by_text(game.events[said]["text"])).to_be_visible()
    go_to(viewer, places["contributed"])
    assert value(viewer, "centre") == sum(game.events[places["contributed"] - 1]["contributions"])
    go_to(viewer, places["fund_shared"])
    shared = game.events[places["fund_shared"] - 1]
    assert value(viewer, "centre") == shared["carry_out"]
    expect(viewer.get_by_label("The table").get_by_text(f"{shared['pot']} × 1.6 = {shared['grown']}")).to_be_visible()
    go_to(viewer, places["punished"])
    done = game.events[places["punished"] - 1]
    labels = [game.seats[done[who]].label for who in ("punisher", "target")]
    expect(viewer.get_by_test_id("moment")).to_have_text(
        re.compile(f"^Round 1, {labels[0]} spends .* from {labels[1]}$")
    )
    told = viewer.get_by_test_id("transcript")
    expect(told).to_contain_text(f"{labels[0]} spends {done['spend']}")


def test_a_chosen_file_plays_by_keyboard_and_by_the_strip_of_rounds(viewer: Page, game: GameRecord) -> None:
    file = {"name": "game.json", "mimeType": "application/json", "buffer": text_of(game).encode()}
    viewer.get_by_label("Choose a file").set_input_files([file])
    moment = viewer.get_by_test_id("moment")
    expect(moment).to_have_text("Before the first round")
    viewer.keyboard.press("ArrowRight")
    expect(moment).to_have_attribute("data-value", "1")
    viewer.keyboard.press("Shift+ArrowRight")
    expect(moment).to_have_text("Round 1, balances")
    viewer.get_by_role("button", name=re.compile("^Round 4: ")).click()
    expect(viewer.get_by_test_id("round")).to_have_attribute("data-value", "4")
    viewer.keyboard.press("End")
    expect(moment).to_have_text(re.compile(r"the end$"))
    viewer.get_by_role("button", name="Another game").click()
    expect(viewer.get_by_role("heading", name="Drop a game here")).to_be_visible()


def test_notes_of_a_file_may_be_alike(viewer: Page, game: GameRecord) -> None:
    notes = [RecordedNote(moment=moment, at="2026-01-01", text="the same") for moment in (0, 0, 3, 3)]
    drop(viewer, text_of(game.model_copy(update={"notes": notes})))
    expect(viewer.get_by_test_id("transcript").get_by_test_id("note")).to_have_count(4)


def test_a_game_of_the_commons_is_dropped_and_ends_as_its_record_does(viewer: Page) -> None:
    record = ostrom.record_of(ostrom.play(["Justicier:2", "Parasite", "Pavlov"], rules=CommonsRules(turns=12), seed=2))
    drop(viewer, text_of(record))
    viewer.get_by_test_id("play").wait_for()
    viewer.keyboard.press("End")
    for seat, capital in enumerate(record.events[-1]["capitals"]):
        assert value(viewer, f"capital-{seat}") == pytest.approx(capital, rel=1e-12)


def test_every_sample_can_be_chosen_and_its_address_leads_back_to_it(offline: Callable[..., Page], pages: Path) -> None:
    page = offline(pages / VIEWER)
    names = [sample.get_attribute("data-testid") for sample in page.locator("[data-testid^=sample-]").all()]
    assert len(names) >= 3
    for name in names:
        page.get_by_test_id(name or "").click()
        expect(page.get_by_test_id("moment")).to_be_visible()
        page.keyboard.press("End")
        page.get_by_role("button", name="Another game").click()
    page.get_by_test_id("sample-ruin").click()
    go_to(page, 9)
    again = offline(pages / VIEWER, page.url.partition("viewer.html")[2])
    expect(again.get_by_test_id("moment")).to_have_attribute("data-value", "9")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the text is not JSON, or it was cut off"),
        ("PK\x03\x04\x00\x00", "the text is not JSON, or it was cut off"),
        ('{"format": "ostrom-game"}\n{"format": "ostrom-game"}\n', "the viewer reads one game per file"),
        ("[1, 2]", 'its "format" should be "ostrom-game"'),
        ('{"format": "ostrom-game", "version": 9}', "this page reads version 2"),
    ],
)
def test_what_is_no_record_gets_one_line(viewer: Page, text: str, said: str) -> None:
    drop(viewer, text)
    alert = viewer.get_by_role("alert")
    expect(alert).to_contain_text(said)
    expect(alert).to_have_count(1)
    expect(viewer.get_by_role("heading", name="Drop a game here")).to_be_visible()


def test_a_record_whose_events_are_broken_gets_one_line(viewer: Page, game: GameRecord) -> None:
    broken = json.loads(text_of(game))
    broken["told"][-1]["effects"] = [{"do": "set", "values": {"balance": [1]}}]
    drop(viewer, json.dumps(broken))
    expect(viewer.get_by_role("alert")).to_contain_text('of the record has no usable "effects"')


def test_a_file_that_is_far_too_large_is_not_read(viewer: Page) -> None:
    drop(viewer, size=100_000_000)
    expect(viewer.get_by_role("alert")).to_contain_text("This file has 100 MB; the viewer reads records of up to 64 MB")


def test_an_exported_page_opens_with_its_game_and_keeps_the_moment(
    offline: Callable[..., Page], game: GameRecord, tmp_path: Path, pages: Path
) -> None:
    write_page(tmp_path / "game.html", game)
    page = offline(tmp_path / "game.html")
    expect(page.get_by_test_id("moment")).to_have_text("Before the first round")
    go_to(page, 12)
    page.reload()
    expect(page.get_by_test_id("moment")).to_have_attribute("data-value", "12")
    drop(page, "nothing")
    expect(page.get_by_role("alert")).to_contain_text("not JSON")
    assert [value(page, f"balance-{seat}") for seat in range(5)] == balances_after(game, 12)


@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_hostile_text_in_an_exported_page_is_text_and_runs_nothing(
    offline: Callable[..., Page], game: GameRecord, tmp_path: Path, pages: Path, viewport: dict[str, int]
) -> None:
    words = iter(HOSTILE * len(game.events))
    events = [event | {"text": next(words)} if event["event"] == "message_said" else event for event in game.events]
    seats = [seat.model_copy(update={"player": text}) for seat, text in zip(game.seats, HOSTILE[1:], strict=True)]
    write_page(tmp_path / "game.html", game.model_copy(update={"events": events, "seats": seats}))
    page = offline(tmp_path / "game.html", viewport=viewport)
    told = page.get_by_test_id("transcript")
    for place, event in enumerate(events[:14]):
        go_to(page, place + 1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), event["event"]
        if event["event"] == "message_said" and event["text"] != LONG:
            expect(told).to_contain_text(event["text"])
    assert page.locator("img, script:not(#game, [type=module])").count() == 0
    assert page.evaluate("window.ran") is None


def test_a_word_without_end_is_shown_in_part_until_all_of_it_is_asked_for(viewer: Page, game: GameRecord) -> None:
    drop(viewer, text_of(game.model_copy(update={"events": [game.events[0] | {"text": LONG}]})))
    go_to(viewer, 1)
    told = viewer.get_by_test_id("transcript")
    assert len(told.inner_text()) < 2000
    told.get_by_role("button", name="Show all 100,000 characters").click()
    expect(told).to_contain_text(LONG)
    assert viewer.evaluate("document.documentElement.scrollWidth <= innerWidth")
    told.get_by_role("button", name="Show less").click()
    assert len(told.inner_text()) < 2000


@pytest.mark.parametrize("seats", [3, 12, 40])
@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_tables_of_any_size_fit_the_page(viewer: Page, seats: int, viewport: dict[str, int]) -> None:
    players = ["AltruisticPunisher:2", f"RandomGiver:{seats - 2}"]
    viewer.set_viewport_size(viewport)  # type: ignore[arg-type]
    record = ostrom.record_of(ostrom.play(players, game="punish", seed=4))
    drop(viewer, text_of(record))
    go_to(viewer, len(record.events) - 1)
    assert [value(viewer, f"balance-{seat}") for seat in range(seats)] == record.events[-1]["balances"]
    assert viewer.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_replay_runs_inside_a_notebook_without_network_or_origin(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    game = ostrom.play(["Cooperator", "FreeRider", "Retaliator"], game="punish", rules={"rounds": 2}, seed=1)
    cell = tmp_path / "cell.html"
    shown = game.replay(height=700)._repr_html_()
    cell.write_text(f"<!doctype html><title>notebook</title><div class='output'>{shown}</div>", encoding="utf-8")
    page = new_page(viewport={"width": 1100, "height": 800})
    page.context.set_offline(True)
    page.goto(cell.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("FreeRider").first).to_be_visible()
    frame.get_by_role("button", name="Play").first.click()
    expect(frame.get_by_text("Before the first round")).to_have_count(0)
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None, "it cannot reach the notebook"
