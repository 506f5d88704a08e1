"""Games with people in a browser: two people, their host, and a person in the battery."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from at_pages import PeoplesGame, Person, run_with_people, start_with_people
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

TABLE = (
    "punish",
    "--include",
    "human:2",
    "--include",
    "FreeRider",
    "--no-messages",
    "--rule",
    "rounds=1",
    "--seed",
    "8",
)


@pytest.fixture
def game(pages: Path, tmp_path: Path) -> Iterator[PeoplesGame]:
    """A game of one round, for two people."""
    with run_with_people(tmp_path, pages, *TABLE, people=2) as started:
        yield started


@pytest.fixture
def people(game: PeoplesGame, new_page: Callable[..., Page]) -> tuple[Person, Person]:
    """Both, each with a browser of their own, before their first decision."""
    one, other = Person(new_page(), game.link(0)), Person(new_page(), game.link(1))
    one.asked("Round 1 · contribution")
    other.asked("Round 1 · contribution")
    return one, other


def shown(person: Person) -> str:
    """The text of a page without times."""
    return person.page.locator("main .table").inner_text() + person.page.get_by_test_id("whose").inner_text()


def told(game: PeoplesGame, person: int) -> object:
    """The state of a seat without times."""
    state = game.state(person)
    state["question"].pop("left")
    return state


def played_to_the_end(one: Person, other: Person) -> None:
    for person in (one, other):
        person.asked("Round 1 · punishment")
        person.punish("nobody", 0)
    for person in (one, other):
        person.over()


def test_two_people_see_nothing_of_each_other_before_all_have_decided(
    game: PeoplesGame, people: tuple[Person, Person]
) -> None:
    one, other = people
    expect(one.page.get_by_test_id("label")).to_have_text("P1")
    expect(other.page.get_by_test_id("label")).to_have_text("P2")
    before = shown(other), told(game, 1)
    one.give(17)
    expect(one.page.get_by_test_id("whose")).to_have_text("The others are deciding")
    assert game.answers(0) == [(1, "contribution", 17)]  # decided and kept, but not told
    assert (shown(other), told(game, 1)) == before
    assert game.tokens[0] not in str(before)
    other.give(3)
    for person in people:
        person.asked("Round 1 · punishment")
        expect(person.page.get_by_text("gave in this round: P1 17, P2 3, P3 0")).to_be_visible()
    played_to_the_end(one, other)
    assert game.answers(1)[0] == (1, "contribution", 3)


def test_nobody_answers_for_another_seat(game: PeoplesGame, people: tuple[Person, Person]) -> None:
    one, other = people
    one.give(17)
    expect(one.page.get_by_test_id("whose")).to_have_text("The others are deciding")
    answer = {"question": "1-contribution", "values": {"contribution": 20}}

    def sent(body: object, **headers: str) -> int:
        return one.page.request.post(f"{game.api}/answer", data=body, headers=headers).status

    mine = {"Ostrom-Seat": game.tokens[0]}
    assert sent(answer, **mine) == 409  # decided, and final
    assert sent({**answer, "seat": 1}, **mine) == 422
    assert sent(answer) == 401
    assert sent(answer, **{"Ostrom-Seat": game.tokens[0][::-1]}) == 403
    other.asked("Round 1 · contribution")
    assert game.answers(1) == []
    other.give(3)
    played_to_the_end(one, other)
    assert game.answers(0)[0] == (1, "contribution", 17)
    assert game.answers(1)[0] == (1, "contribution", 3)


def test_a_host_hands_out_links_and_sees_who_is_here(
    page: Page, new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/people.db"
    base = served(store)
    game = start_with_people(base, store, ("human", "human", "FreeRider"), rules={"messages": False})
    # As on a page of another machine: no clipboard there.
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"{base}#/experiments/{game.experiment}")
    doing = [page.get_by_test_id(f"doing-{seat}") for seat in (0, 1)]
    for one in doing:
        expect(one).to_have_text("not opened")
    expect(page.get_by_test_id("alone")).to_contain_text("work on this machine only")
    page.get_by_role("button", name="Copy all links").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    person = Person(new_page(), game.link(0))
    expect(doing[0]).to_have_text("thinking")
    person.give(5)
    expect(doing[0]).to_have_text("answered")
    expect(doing[1]).to_have_text("not opened")
    person.page.close()
    expect(doing[0]).to_have_text("away")


PROTOCOL = """
[dictator]
pots = [10, 100]
repetitions = 1
controls = 1

[stag_hunt]
stags = [10]
hares = [0.5]
repetitions = 1
controls = 0
"""


def test_a_person_is_asked_the_battery(page: Page, pages: Path, tmp_path: Path) -> None:
    protocol = tmp_path / "short.toml"
    protocol.write_text(PROTOCOL)
    options = ("battery", "--subject", "human:p01", "--protocol", str(protocol), "--seed", "1")
    with run_with_people(tmp_path, pages, *options, command="bench") as session:
        page.goto(session.link())
        for number in range(1, 4):
            expect(page.get_by_test_id("strip")).to_contain_text(f"Question {number} of at most 4")
            expect(page.get_by_test_id("progress")).to_have_attribute("value", str(number - 1))
            page.get_by_role("spinbutton").or_(page.get_by_role("textbox")).first.fill("5")
            page.get_by_test_id("send").click()
        expect(page.get_by_test_id("strip")).to_contain_text("Question 4 of at most 4")
        expect(page.get_by_text("are not paid out")).to_be_visible()
        page.locator("fieldset").get_by_role("radio", name=re.compile("^[AB]\\b")).first.check()
        page.get_by_test_id("send").click()
        expect(page.get_by_test_id("notice")).to_contain_text("That was the last question")
        expect(page).not_to_have_title(re.compile("Dictator"))
    with Journal.open(session.store) as journal:
        records = [journal.record(row.id) for row in journal.games()]
    assert {record.seats[0].player for record in records} == {"human:p01"}
    assert sum(len(record.answers) for record in records) == 4
    assert all(answer.fault is None for record in records for answer in record.answers)
