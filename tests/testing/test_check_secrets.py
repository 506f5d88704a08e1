"""`check_game(secrets=…)` finds a secret wherever it is planted."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest

from ostrom.core import Chance, Event, EventRegistry, GameChance, Question, Table
from ostrom.core.effects import Telling, sentence
from ostrom.core.game import Game
from ostrom.core.scene import Scene
from ostrom.core.secrecy import PrivateTo
from ostrom.core.table import Play
from ostrom.core.telling import simple
from ostrom.players.models.briefing import PlainBriefing
from ostrom.players.models.framing import Framing
from ostrom.testing import check_game, faults_of
from ostrom.testing.conformance.secrecy import too_short
from sealed_auction import AUCTION, EVENTS, MAX_VALUE, AuctionRules, AuctionView, play, secrets


def test_the_auction_keeps_its_secrets() -> None:
    check_game(AUCTION, secrets=secrets, study=False)


@dataclass(frozen=True)
class OpenView(AuctionView):
    """Knows too much."""

    others: tuple[float, ...] = ()


def with_open_views(rules: AuctionRules, table: Table) -> Play:
    values = tuple(MAX_VALUE * table.chance.uniform("value", 0, seat.index) for seat in table.seats)
    game, answers = play(rules, table), None
    while True:
        try:
            step = game.send(answers)
        except StopIteration:
            return
        views = [OpenView(rules, question.view.value, question.turn, values) for question in step]
        answers = yield [replace(question, view=view) for question, view in zip(step, views, strict=True)]


class Rumour(Event, tag="rumour"):
    """A rumour about the value of the first seat."""

    seat: int
    value: Annotated[float, PrivateTo("seat")]


class LoudRumour(Event, tag="loud"):
    """The same for everyone, rounded."""

    words: str


def with_rumours(event: type[Event], **facts: Any) -> Game:
    registry = EventRegistry()
    for known in (*EVENTS.values(), event):
        registry.register(known)

    def told(rules: AuctionRules, table: Table) -> Play:
        value = MAX_VALUE * table.chance.uniform("value", 0, 0)
        table.record(event(**{name: fact(value) for name, fact in facts.items()}))
        yield from play(rules, table)

    return replace(AUCTION, play=told, events=registry, step=None)


class LoudBriefing(PlainBriefing):
    """Tells every seat the value of the first."""

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        context = dict(super().context(question, framing, chance))
        assert isinstance(chance, GameChance)
        return {**context, "known": {"seed": chance.seed}}


def loud_briefing(game: Game) -> LoudBriefing:
    return LoudBriefing(game)


class SharedBriefing(PlainBriefing):
    """Puts the value of the seat that is asked before the past."""

    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        return [f"The value is {question.view.value!r}."]


def shared_briefing(game: Game) -> SharedBriefing:
    return SharedBriefing(game)


def tell_all(event: Event) -> Telling:
    # An author who keeps values beside the events: a secret that no mark of a field can hide.
    return Telling(text=(sentence(f"the seed is {SEEN[-1]}"),))


SEEN: list[int] = []
SCENE = simple(Scene(layout="question", title="Auction", clock="round", pace=2, opens="end"), tell_all)


def remembering(rules: AuctionRules, table: Table) -> Play:
    SEEN.append(table.chance.seed)  # type: ignore[attr-defined]
    yield from play(rules, table)


LOUD = sys.modules[__name__].__name__
PLANTED = {
    "others of the view of the bid holds": replace(AUCTION, play=with_open_views, step=None),
    "the event 'rumour' shows a secret to another seat": with_rumours(
        Rumour, seat=lambda _: 1, value=lambda value: value
    ),
    "the event 'loud' shows a secret to the public": with_rumours(LoudRumour, words=lambda value: f"about {value:.2f}"),
    "the prompt of the bid holds": replace(AUCTION, briefing=f"{LOUD}:loud_briefing", step=None),
    "the part of the prompt of the bid that all seats share holds the seed or a secret": replace(
        AUCTION, briefing=f"{LOUD}:shared_briefing", step=None
    ),
    "the telling of 'dealt' shows a secret to the public": replace(
        AUCTION, play=remembering, scene=f"{LOUD}:SCENE", step=None
    ),
}


def leaks_of(game: Game) -> list[str]:
    lines = faults_of(game, secrets=secrets, seeds=(1,), study=False)
    return [line for line in lines if line.startswith("secrets")]


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_leak_is_found(fault: str) -> None:
    lines = leaks_of(PLANTED[fault])
    assert any(fault in line for line in lines), lines


def test_a_fact_for_its_own_seat_is_no_leak() -> None:
    own = with_rumours(Rumour, seat=lambda _: 0, value=lambda value: value)
    assert leaks_of(own) == []


def test_a_secret_with_too_few_digits_is_named() -> None:
    def with_qualities(rules: Any, seats: int, seed: int) -> list[list[Any]]:
        qualities = [1.0 + int(3 * GameChance(seed).uniform("quality", 0, seat)) for seat in range(seats)]
        return [[*own, quality] for own, quality in zip(secrets(rules, seats, seed), qualities, strict=True)]

    [line] = faults_of(AUCTION, secrets=with_qualities, seeds=(1,), seats=(2,), study=False)
    assert line.startswith("secrets")
    assert "for seat 0, cannot be recognised: it has fewer than 3 digits" in line


def test_a_secret_that_is_short_under_one_seed_only_is_recognised() -> None:
    listed = [[[12.5, 7.25]], [[12.0, 7.25]], [[3.141, 8.125]]]
    assert list(too_short(listed)) == []
    assert len(list(too_short([[[12.0]], [[3.0]], [[400]]]))) == 1
