"""A person's seat in a browser: the texts of a model's prompt, the same validation, and the result."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from at_pages import PeoplesGame, Person, run_with_people, start_with_people

PUNISHERS = ("Cooperator", "FreeRider", "AltruisticPunisher", "Retaliator")
HOSTILE = (
    "I give seven. <img src=x onerror=alert(1)> <script>alert(2)</script>",
    "",
    'She said "no" & left: naïve, 日本語, \u202eesrever',
)

Start = Callable[..., PeoplesGame]


@pytest.fixture(scope="module")
def start(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Starts a game for one person and four punishers, or for others, on a server that all these tests share."""
    store = f"sqlite:///{tmp_path_factory.mktemp('seats')}/people.db"
    base = served(store)
    silent = {"messages": False}

    def started(*players: str, **settings: Any) -> PeoplesGame:
        settings.setdefault("rules", silent)
        return start_with_people(base, store, players or ("human", *PUNISHERS), **settings)

    return started


@pytest.mark.slow
def test_a_person_plays_a_whole_game_of_contribute_and_punish(page: Page, pages: Path, tmp_path: Path) -> None:
    options = [part for name in ("human", *PUNISHERS) for part in ("--include", name)]
    entered: list[tuple[int, str, Any]] = []
    ran: list[str] = []
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    with run_with_people(tmp_path, pages, "punish", *options, "--seed", "3") as game:
        person = Person(page, game.link())
        for turn in range(1, 11):
            said = HOSTILE[turn % len(HOSTILE)]
            person.asked(f"Round {turn} · message")
            person.say(said)
            person.asked(f"Round {turn} · contribution")
            if turn == 4:
                the_text_is_told(page, game)
            person.give(turn % 4)
            person.asked(f"Round {turn} · punishment")
            target, spend = [("nobody", 0), ("P3", 1)][turn % 2]
            person.punish(target, spend)
            value = {"target": 2 if spend else None, "spend": spend}
            entered += [(turn, "message", said), (turn, "contribution", turn % 4), (turn, "punishment", value)]
        person.over()
    assert game.answers() == entered
    assert {one.provenance for one in game.record().answers} == {"answered"}
    the_result_is_the_record(page, game)
    assert ran == []


def the_text_is_told(page: Page, game: PeoplesGame) -> None:
    """The page has the whole text of a model's prompt: history, state and question."""
    unfold = page.get_by_role("button", name="Open all")
    if unfold.count():
        unfold.click()
    parts = [page.get_by_test_id(part) for part in ("history", "now", "asked")]
    told = "".join(part.inner_text() for part in parts if part.count())
    # A grid parts what belongs together by lines of its own, so that spaces are not compared.
    assert "".join(told.split()) == "".join(game.state()["question"]["text"].split())


def the_result_is_the_record(page: Page, game: PeoplesGame) -> None:
    record = game.record()
    final = record.events[-1]["balances"]
    for seat in record.seats:
        shown = page.get_by_test_id(f"final-{seat.seat}")
        assert float(shown.get_attribute("data-value") or "nan") == final[seat.seat]
        row = page.get_by_role("row").filter(has=shown)
        expect(row).to_contain_text(seat.player)
        expect(row).to_contain_text(seat.label)
    place = ("1st", "2nd", "3rd", "4th", "5th")[sum(one > final[0] for one in final)]
    how = "tied for" if final.count(final[0]) > 1 else "came"
    expect(page.get_by_test_id("placing")).to_have_text(f"You {how} {place} of 5 with {final[0]} tokens.")
    expect(page).to_have_title(re.compile("^Over"))


@pytest.mark.slow
def test_what_is_told_is_the_text_that_a_model_gets(page: Page, start: Start) -> None:
    game = start(rules={})
    person = Person(page, game.link())
    person.asked("Round 1 · message")
    expect(page).to_have_title(re.compile("Your turn"))
    state = game.state()
    rules = page.get_by_test_id("rules").get_by_test_id("told")
    assert rules.inner_text().split() == state["rules"].split()
    the_text_is_told(page, game)
    person.say("")
    person.asked("Round 1 · contribution")
    expect(rules).to_be_hidden()  # and one press away
    page.get_by_role("heading", name="The rules").click()
    expect(rules).to_be_visible()


@pytest.mark.slow
def test_who_leaves_the_page_comes_back_to_the_same_question(new_page: Callable[..., Page], start: Start) -> None:
    game, page = start(rules={}), new_page()
    person = Person(page, game.link())
    message = page.get_by_label("Message", exact=True)
    message.fill("not sent yet")
    page.reload()
    expect(message).to_have_value("not sent yet")
    page.goto("about:blank")
    page.goto(game.link())
    expect(message).to_have_value("not sent yet")
    person.send("Say this to everyone")
    person.asked("Round 1 · contribution")
    page.context.close()
    again = Person(new_page(), game.link())
    again.asked("Round 1 · contribution")
    expect(again.page.get_by_test_id("decided")).to_contain_text("not sent yet")
    again.give(4)
    again.asked("Round 1 · punishment")
    assert game.answers() == [(1, "message", "not sent yet"), (1, "contribution", 4)]


@pytest.mark.slow
def test_a_number_out_of_range_is_refused_on_the_page(page: Page, start: Start) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    person = Person(page, start().link())
    person.asked("Round 1 · contribution")
    for wrong in ("21", "-1", "2.5"):
        person.enter(wrong)
        expect(page.get_by_role("alert").filter(has_text="A whole number from 0 to 20")).to_be_visible()
        person.send("Send answer")
        expect(page.get_by_label("Contribution", exact=True)).to_be_focused()
    assert "POST" not in sent
    person.give(20)
    person.asked("Round 1 · punishment")
    assert sent.count("POST") == 1


@pytest.mark.slow
def test_what_the_server_refuses_stands_at_its_field_and_the_question_stays(
    page: Page, start: Start, allowed: list[str]
) -> None:
    def wider(route: Route) -> None:
        reply = route.fetch(max_retries=3)  # a connection that waited may have been closed
        state = reply.json()
        if state["question"] is not None and state["question"]["phase"] == "contribution":
            state["question"]["answer"]["properties"]["contribution"]["maximum"] = 500
        route.fulfill(response=reply, body=json.dumps(state))

    allowed.append("status of 422")
    # A stream that says nothing: the page asks by itself.
    page.route("**/api/seat/live", lambda route: route.fulfill(status=200, content_type="text/event-stream", body=""))
    page.route("**/api/seat", wider)
    game = start()
    person = Person(page, game.link())
    person.give(30)
    reason = "30 is not allowed; it must be a whole number from 0 to 20"
    expect(page.locator("#answer-contribution-problem")).to_contain_text(reason)
    expect(page.get_by_label("Contribution", exact=True)).to_have_value("30")
    person.give(3)
    expect(page.get_by_test_id("decided")).to_contain_text("Round 1, contribution: 3")
    assert game.answers() == [(1, "contribution", 3)]
    person.asked("Round 1 · punishment")


@pytest.mark.slow
def test_when_time_is_over_the_game_answers_and_goes_on(page: Page, start: Start) -> None:
    game = start(seconds=2)
    Person(page, game.link())
    expect(page.get_by_test_id("outcome")).to_contain_text("the game answered in your place")
    expect(page.get_by_test_id("decided")).to_contain_text("no answer came in time")
    expect(page.get_by_test_id("send")).to_be_enabled()  # the next question
    assert {one.provenance for one in game.record().answers if one.seat == 0} == {"defaulted"}


@pytest.mark.slow
def test_who_comes_back_is_told_what_was_missed(page: Page, start: Start) -> None:
    game = start(seconds=2, wait=0)
    while not game.state()["missed"]:
        page.wait_for_timeout(200)
    Person(page, game.link())
    expect(page.get_by_test_id("outcome")).to_contain_text("the game answered in your place")


@pytest.mark.slow
@pytest.mark.parametrize("screen", [(390, 844), (1280, 720)])
def test_question_and_answer_are_in_sight_at_once_and_the_clock_always(
    new_page: Callable[..., Page], start: Start, screen: tuple[int, int]
) -> None:
    page = new_page(viewport=dict(zip(("width", "height"), screen, strict=True)))
    person = Person(page, start().link())
    person.give(3)
    person.asked("Round 1 · punishment")
    page.get_by_label("P2", exact=True).check()  # asks how much, too
    for shown in ("asked", "send", "left"):
        expect(page.get_by_test_id(shown)).to_be_in_viewport(ratio=1)
    page.get_by_test_id("decided").scroll_into_view_if_needed()
    expect(page.get_by_test_id("left")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_person_plays_the_commons(page: Page, start: Start) -> None:
    game = start("human", "TitForTat", "Pavlov", game="commons", rules={"turns": 3})
    person = Person(page, game.link())
    moves = [("0.5", "0"), ("1", "-10.5"), ("0.25", "3")]
    for turn, (part, lobby) in enumerate(moves, start=1):
        person.asked(f"Turn {turn} · move")
        person.enter(part)
        if turn == 1:
            expect(page.get_by_text("the only possible answer now")).to_be_visible()
        else:
            for text in ("1e1", "-5", "-0.5", lobby):  # key by key: on the way there are texts that are no numbers
                page.get_by_label("Lobby", exact=True).clear()
                page.get_by_label("Lobby", exact=True).press_sequentially(text)
                expect(page.get_by_label("Lobby", exact=True)).to_have_value(text)
        page.get_by_role("radio", name="nobody").check()
        if turn == 3:
            page.get_by_text("Reasoning", exact=True).click()
            page.get_by_label("Reasoning, optional").fill("The end is near.")
        expect(page.get_by_test_id("send")).to_contain_text(f"Contribute {100 * float(part):g} %")
        page.get_by_test_id("send").click()
    person.over()
    values = [{"contribution": float(part), "lobby": float(lobby), "vote": None} for part, lobby in moves]
    assert game.answers() == [(turn, "move", value) for turn, value in enumerate(values, start=1)]


@pytest.mark.slow
def test_without_a_connection_nothing_is_lost(page: Page, start: Start, allowed: list[str]) -> None:
    allowed.append("ERR_INTERNET_DISCONNECTED")
    game = start()
    person = Person(page, game.link())
    person.asked("Round 1 · contribution")
    person.enter("5")
    page.context.set_offline(True)
    person.send("Contribute 5 tokens")
    expect(page.get_by_test_id("refused")).to_contain_text("Your input is kept here")
    expect(page.get_by_test_id("strip")).to_contain_text("nothing is lost")
    page.context.set_offline(False)
    person.send("Contribute 5 tokens")
    person.asked("Round 1 · punishment")
    assert game.answers() == [(1, "contribution", 5)]


@pytest.mark.slow
def test_an_answer_whose_confirmation_is_lost_counts_once(page: Page, start: Start, allowed: list[str]) -> None:
    def lost(route: Route) -> None:
        route.fetch()  # it arrives
        route.abort()  # and nobody hears of it

    allowed.append("ERR_FAILED")
    game = start()
    page.route("**/api/seat/answer", lost, times=1)
    person = Person(page, game.link())
    person.give(5)
    person.asked("Round 1 · punishment")
    expect(page.get_by_test_id("outcome")).to_have_count(0)
    assert game.answers() == [(1, "contribution", 5)]


@pytest.mark.slow
def test_an_answer_that_never_arrives_is_not_taken_for_one(page: Page, start: Start, allowed: list[str]) -> None:
    allowed.append("ERR_FAILED")
    game = start(seconds=3)
    page.route("**/api/seat/answer", lambda route: route.abort())
    person = Person(page, game.link())
    person.give(5)
    expect(page.get_by_test_id("refused")).to_contain_text("Your input is kept here")
    expect(page.get_by_test_id("outcome")).to_contain_text("the game answered in your place")
    expect(page.get_by_test_id("decided")).to_contain_text("no answer came in time")


@pytest.mark.slow
def test_a_host_that_was_started_again_is_told_as_such(page: Page, start: Start, allowed: list[str]) -> None:
    allowed.append("status of 403")
    person = Person(page, start().link())
    person.give(5)
    person.asked("Round 1 · punishment")
    page.route("**/api/seat", lambda route: route.fulfill(status=403, json={"detail": "no seat has this link"}))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looked at again
    expect(page.get_by_test_id("notice")).to_contain_text("ask the host for it")
    expect(page).to_have_title(re.compile("^Take a seat"))
    expect(page.get_by_test_id("decided")).to_contain_text("Round 1, contribution: 5")


@pytest.mark.slow
def test_an_answer_after_the_end_shows_how_it_ended(page: Page, start: Start, allowed: list[str]) -> None:
    allowed.append("status of 403")
    game = start()
    person = Person(page, game.link())
    person.asked("Round 1 · contribution")
    over = {**game.state(), "version": 10**6, "state": "stopped", "question": None, "reason": "the host has stopped"}
    page.route("**/api/seat", lambda route: route.fulfill(json=over))
    page.route("**/api/seat/answer", lambda route: route.fulfill(status=403, json={"detail": "the host has stopped"}))
    person.give(5)
    expect(page.get_by_test_id("notice")).to_contain_text("The game has stopped")
    expect(page.get_by_test_id("notice")).to_contain_text("All answers so far are stored")


@pytest.mark.slow
def test_the_end_has_the_replay_and_the_card(page: Page, start: Start) -> None:
    game = start(rules={"messages": False, "rounds": 1})
    secret = {"Ostrom-Seat": game.tokens[0]}
    assert page.request.get(f"{game.api}/record", headers=secret).status == 409
    person = Person(page, game.link())
    person.asked("Round 1 · contribution")
    person.give(2)
    person.asked("Round 1 · punishment")
    person.punish("nobody", 0)
    person.over()
    page.get_by_role("button", name="Watch the replay").click()
    kept = page.get_by_test_id("keepsake")
    expect(kept.get_by_role("button", name="Play").first).to_be_visible()
    expect(kept).to_contain_text("Retaliator")
    with page.expect_download() as handed:
        kept.get_by_role("button", name="Save the card").click()
    assert handed.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as handed:
        kept.get_by_role("button", name="Save the replay as a page").click()
    assert "contribute_punish" in handed.value.path().read_text("utf-8")
    assert page.request.get(f"{game.api}/record", headers={"Ostrom-Seat": "no-such-secret"}).status == 403


@pytest.mark.slow
def test_two_tabs_of_one_seat_follow_each_other(page: Page, start: Start) -> None:
    game = start()
    person = Person(page, game.link())
    person.asked("Round 1 · contribution")
    other = Person(page.context.new_page(), game.link())
    other.asked("Round 1 · contribution")
    person.enter("6")
    page.get_by_test_id("send").dblclick()
    other.asked("Round 1 · punishment")
    expect(other.page.get_by_test_id("outcome")).to_contain_text("in another window")
    expect(other.page.get_by_test_id("decided")).to_contain_text("Round 1, contribution: 6")
    assert game.answers() == [(1, "contribution", 6)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("token", "title"),
    [("mistyped", "This link opens no seat"), ("", "This link is incomplete"), ("日本", "This link opens no seat")],
)
def test_a_wrong_link_opens_no_seat(page: Page, start: Start, allowed: list[str], token: str, title: str) -> None:
    allowed.append("status of 403")
    page.goto(f"{start().base}#/seat/{token}")
    expect(page.get_by_test_id("notice")).to_contain_text(title)
