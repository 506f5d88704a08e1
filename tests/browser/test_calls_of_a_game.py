"""The calls of models beside the replay: every call of every decision, and no secrets."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kept import append, commons, opened, opening, start_game
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.questions import Call
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot, Price
from ostrom.players.models.keys import allow
from ostrom.players.roster import ModelContestant
from ostrom.testing.provider import Provider
from serving import client

pytestmark = pytest.mark.slow

KEY = "a-key-of-42-signs-that-nobody-may-ever-see"
MODELS = ("ash", "bay", "<b>cob</b>")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal with one game of three models behind a provider whose every fourth reply is out of range."""
    store = f"sqlite:///{tmp_path_factory.mktemp('calls')}/journal.db"
    game = GAMES.of_command("punish")
    hurried = Pacing(first_wait=0.01, longest_wait=0.02, failures=9, first_pause=0.02, longest_pause=0.05)
    with pytest.MonkeyPatch.context() as environment, Provider(faults={"illegal": 0.25}, seed=3) as provider:
        environment.setenv("MODEL_KEY", KEY)
        environment.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("keys")))
        allow("MODEL_KEY", provider.base_url.split("/")[2])
        price = Price(input=3.0, output=15.0)
        how: dict[str, Any] = {"base_url": provider.base_url, "key_env": "MODEL_KEY", "form": "tags", "max_tokens": 200}
        seated = [ModelContestant(Bot(name=name, model="m", price=price, **how), game.name) for name in MODELS]
        fixture = Fixture("calls", game, game.rules(rounds=2), seated, GameChance(1, 0))
        with Journal.open(store, create=True) as journal:
            experiment = journal.new_experiment("calls", kind="punish", planned=1)
            asyncio.run(conduct([fixture], journal, experiment, Conduct(Limits(calls=8), pacing=hurried)))
    return store


@pytest.fixture(scope="module")
def made(store: str) -> dict[tuple[int, str, int], list[Call]]:
    """Every call of the journal, by its question."""
    with Journal.open(store) as journal:
        asked: dict[tuple[int, str, int], list[Call]] = {}
        for key, call in journal.calls("calls"):
            asked.setdefault(key, []).append(call)
    assert any(len(calls) > 1 for calls in asked.values())
    return asked


def test_the_calls_of_a_turn_are_those_of_the_journal(store: str, made: dict[tuple[int, str, int], list[Call]]) -> None:
    with Journal.open(store) as journal, client(journal) as lab:
        head = lab.get("/api/games/calls").json()
        told = {turn: lab.get(f"/api/games/calls/calls?turn={turn}").json() for turn in range(4)}
    assert head["calls"] == sum(map(len, made.values()))
    shown = {
        (turn, decision["phase"], decision["seat"]): decision["calls"]
        for turn, page in told.items()
        for decision in page["decisions"]
    }
    assert list(shown) == list(made)
    for key, calls in made.items():
        assert [(one["reply"], one["latency"], one["cost"], one["error"]) for one in shown[key]] == [
            (call.reply, call.latency, call.cost, call.error) for call in calls
        ]
        assert [[line["text"] for line in one["prompt"]] for one in shown[key]] == [
            [line.text for line in call.prompt] for call in calls
        ]
    assert KEY not in str(told)


def test_a_decision_opens_from_its_moment(
    page: Page,
    served: Callable[..., str],
    found_by_axe: Callable[[Page], list[str]],
    store: str,
    made: dict[tuple[int, str, int], list[Call]],
) -> None:
    page.goto(f"{served(store)}#/games/calls?at=1")
    page.get_by_text("Prompts and replies of models").click()
    for turn in (1, 2):
        mine = {key: calls for key, calls in made.items() if key[0] == turn}
        expect(page.get_by_text(f"{len(mine)} decisions in round {turn}.")).to_be_visible()
        decisions = page.get_by_test_id("decision")
        for place, calls in enumerate(mine.values()):
            decision = decisions.nth(place)
            decision.locator("summary").first.click()
            replies = decision.get_by_test_id("reply").all_text_contents()
            assert replies == [call.reply for call in calls if call.reply is not None]
            prompts = decision.get_by_test_id("prompt").all_text_contents()
            assert prompts == [line.text for call in calls for line in call.prompt]
        assert KEY not in page.content()
        page.get_by_role("slider").first.press("End")
    assert found_by_axe(page) == []


def test_of_a_game_that_is_being_played_nothing_is_told(store: str, tmp_path: Any) -> None:
    with opened(f"sqlite:///{tmp_path}/going.db") as journal:
        experiment = journal.new_experiment("going", kind="commons")
        append(journal, start_game(journal, experiment, opening(commons(1)), key="going"), (), commons(1).events[:2])
        with client(journal) as lab:
            told = lab.get("/api/games/going/calls?turn=1").json()
    assert told == {"turn": 1, "decisions": [], "playing": True}
