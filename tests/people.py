"""People for tests: who answer whatever the form of the answer allows, at a seat or over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.experiment.plan import Experiment
from ostrom.players.people.seat import HumanSeat
from ostrom.web.api.hosting import StartGame, plan_game

PUNISHERS = ("Cooperator", "FreeRider", "ConditionalCooperator")


def game_with(
    players: Sequence[str], game: str = "punish", seconds: float = 60.0, wait: float = 0.0, **rules: Any
) -> Experiment:
    """One game at which these sit, with the same draws every time; nobody is waited for."""
    return plan_game(StartGame(game=game, players=list(players), seed=7, rules=rules, seconds=seconds, wait=wait))


def answer_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An answer that the form allows: nothing, nobody or 0 where it can be."""
    return {name: _value(schema["properties"][name]) for name in schema["required"]}


def _value(wanted: Mapping[str, Any]) -> Any:
    if "anyOf" in wanted:  # An answer that may stay empty is given.
        return _value(wanted["anyOf"][0])
    if "enum" in wanted:
        return "nobody" if "nobody" in wanted["enum"] else wanted["enum"][0]
    if wanted["type"] == "string":
        return "hello"
    return 0 if wanted["minimum"] <= 0 <= wanted["maximum"] else wanted["minimum"]


async def sit_through(seat: HumanSeat, told: list[str] | None = None) -> None:
    """Answer every question of a seat until the game ends there; what was told is added to a list."""
    while seat.ending is None:
        opened = seat.question
        if opened is None:
            await seat.changed(seat.version)
            continue
        if told is not None:
            told.append(opened.text)
        await seat.answer(opened.id, answer_to(opened.schema))
