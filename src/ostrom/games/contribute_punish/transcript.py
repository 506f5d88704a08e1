"""A game of Contribute & Punish in numbers: one array a quantity."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.games.contribute_punish.events import Contributed, FundShared, GameEnded, Punished, RoundEnded


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds; those of seats are arrays over rounds of arrays over seats."""
    made: dict[str, list[Any]] = {
        name: []
        for name in (
            "start",
            "contributions",
            "pot",
            "grown",
            "share",
            "carry",
            "shared",
            "spend",
            "damage",
            "balances",
        )
    }
    for event in events:
        match event:
            case Contributed():
                made["start"].append(event.start)
                made["contributions"].append(event.contributions)
                made["spend"].append([0] * len(event.start))
                made["damage"].append([0] * len(event.start))
            case FundShared():
                made["pot"].append(event.pot)
                made["grown"].append(event.grown)
                made["share"].append(event.share)
                made["carry"].append(event.carry_out)
                made["shared"].append(event.balances)
            case Punished():
                made["spend"][-1][event.punisher] += event.spend
                made["damage"][-1][event.target] += event.damage
            case RoundEnded():
                made["balances"].append(event.balances)
    return made


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.balances]
