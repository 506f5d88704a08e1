"""The test provider plays our games: its answers are accepted in every form, and each of its faults is classified."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from ostrom.core import Answer, Fault, GameChance, Question, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.players.base import Unanswered
from ostrom.players.models.bots import Bot
from ostrom.players.models.player import ModelPlayer
from ostrom.players.models.transport import close_connections
from ostrom.players.roster import ModelContestant
from ostrom.testing.provider import FAULTS, Provider

FORMS = ("native", "tool", "prompted", "tags")
SETTINGS: dict[str, dict[str, Any]] = {"punish": {"rounds": 2}, "commons": {"turns": 3}}
SEEN: dict[str, Fault | None] = {
    "429": Fault.RATE_LIMITED,
    "429_bare": Fault.RATE_LIMITED,
    "500": Fault.SERVER_ERROR,
    "503": Fault.SERVER_ERROR,
    "400": Fault.REJECTED,
    "401": Fault.DENIED,
    "404": Fault.DENIED,
    "drop": Fault.DROPPED,
    "empty": Fault.EMPTY,
    "half_json": Fault.MALFORMED,
    "prose": None,
    "illegal": Fault.ILLEGAL,
    "nan": Fault.ILLEGAL,
    "wrong_seat": Fault.ILLEGAL,
    "refusal": Fault.REFUSED,
    "filtered": Fault.REFUSED,
    "length": Fault.CUT_OFF,
    "long": Fault.MALFORMED,
}
NEVER_ENDING = {"hang", "trickle"}
"""The run, not the player, limits the duration of calls."""


def seated(command: str, form: str, base_url: str) -> tuple[Table, Any, list[ModelPlayer]]:
    game = GAMES.of_command(command)
    chance = GameChance(5, 0)
    table = Table(seats(4), chance)
    bot = Bot.model_validate({"name": "peer", "model": "peer", "base_url": base_url, "form": form})
    players = [ModelContestant(bot, game.name).sit(seat, chance) for seat in table.seats]
    return table, game.play(game.rules(**SETTINGS[command]), table), players


async def ask(player: ModelPlayer, question: Question) -> Answer:
    return player.read(question, await player.send(player.compose(question, ()), "a/1/b/P1/1"))


async def play(command: str, form: str, base_url: str) -> list[Answer]:
    """Play a game and return its answers; every question is asked once."""
    _, flow, players = seated(command, form, base_url)
    all_answers: list[Answer] = []
    try:
        moment = next(flow)
        while True:
            answers = [await ask(players[question.seat.index], question) for question in moment]
            all_answers += answers
            moment = flow.send(answers)
    except StopIteration:
        return all_answers
    finally:
        await close_connections()


@pytest.fixture
def honest() -> Iterator[Provider]:
    with Provider(seed=3) as provider:
        yield provider


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", list(SETTINGS))
def test_every_answer_is_accepted(command: str, form: str, honest: Provider) -> None:
    answers = asyncio.run(play(command, form, honest.base_url))
    assert len(answers) == honest.account()["answered"] >= 8
    assert len({str(answer.value) for answer in answers}) > 3


def test_every_fault_is_covered() -> None:
    assert set(SEEN) | NEVER_ENDING == set(FAULTS)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", list(SEEN))
def test_faults_are_classified(fault: str, form: str) -> None:
    async def one(base_url: str) -> Fault | None:
        _, flow, players = seated("commons", form, base_url)
        question = next(flow)[0]
        try:
            await ask(players[0], question)
        except Unanswered as reason:
            return reason.fault
        finally:
            flow.close()
            await close_connections()
        return None

    with Provider(faults={fault: 1.0}) as provider:
        seen = asyncio.run(one(provider.base_url))
        (sent,) = provider.account()["faults"]
    assert seen == SEEN[sent]
