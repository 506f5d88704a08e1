"""The trial of a written strategy: games against the known strategies of its game, and its fingerprint.

A fingerprint describes how a strategy answers. Against each known strategy, in the same games, it has the mean of the
first answers and the mean of all answers. An answer is a number from 0 to 1: the place between the bounds of an amount,
or among the options of a choice; several fields are averaged, and texts are left out. The distance of two fingerprints
is the root mean square of their differences, from 0 (they answer alike) to 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ostrom.core import Amount, Choice, Fields, GameChance, InputError, Optional, PlayerFault, Spec
from ostrom.core.estimates import Floats
from ostrom.core.game import Game
from ostrom.experiment.match import Match, play_match
from ostrom.players.base import Contestant

MAX_OPPONENTS: Final = 12


@dataclass(frozen=True, eq=False)
class Trial:
    """The results of a strategy against known strategies."""

    opponents: tuple[str, ...]
    own: Floats
    """(opponents, games) The strategy's final in each game."""
    others: Floats
    """(opponents, games) The mean final of the other seats."""
    fingerprint: Floats
    """(opponents, 2) The means of the first answers and of all answers; NaN without such answers."""

    @property
    def mean(self) -> float:
        """The mean final over all games."""
        return float(self.own.mean())


def try_strategy(
    game: Game, rules: Any, player: Contestant, opponents: Sequence[Contestant], games: int, seed: int
) -> Trial:
    """Play the games of a trial. Raise `PlayerFault` if the strategy fails, breaks the rules, or gives other answers
    when the first game is repeated."""
    own, others = np.zeros((len(opponents), games)), np.zeros((len(opponents), games))
    fingerprint = np.full((len(opponents), 2), np.nan)
    for place, opponent in enumerate(opponents):
        first: list[float] = []
        every: list[float] = []
        for number in range(games):
            match, seat = _play(game, rules, player, opponent, number, seed)
            if place == number == 0:
                again, _ = _play(game, rules, player, opponent, 0, seed)
                if _answers(again, seat) != _answers(match, seat):
                    raise PlayerFault("the strategy is not deterministic: with the same seed, it answers otherwise")
            finals = _finals(match)
            own[place, number] = finals[seat]
            others[place, number] = np.mean([final for index, final in enumerate(finals) if index != seat])
            values = [value for value in map(_level, *_asked(match, seat)) if value is not None]
            first += values[:1]
            every += values
        fingerprint[place] = [np.mean(values) if values else np.nan for values in (first, every)]
    return Trial(tuple(one.name for one in opponents), own, others, fingerprint)


def _play(
    game: Game, rules: Any, player: Contestant, opponent: Contestant, number: int, seed: int
) -> tuple[Match, int]:
    """Return a game and the seat of the player, which has every seat in turn."""
    size = game.seats.usual or max(2, game.seats.fewest)
    seat = number % size
    table = [player if index == seat else opponent for index in range(size)]
    return play_match(game, rules, table, GameChance(seed, number)), seat


def _finals(match: Match) -> list[float]:
    assert match.game.finals is not None
    return [float(final or 0.0) for final in match.game.finals(match.events)]


def _answers(match: Match, seat: int) -> list[Any]:
    return [decision.answer.value for decision in match.decisions if decision.question.seat.index == seat]


def _asked(match: Match, seat: int) -> tuple[list[Spec], list[Any]]:
    own = [decision for decision in match.decisions if decision.question.seat.index == seat]
    return [decision.question.spec for decision in own], [decision.answer.value for decision in own]


def _level(spec: Spec, value: Any) -> float | None:
    """Return an answer as a number from 0 to 1; None for texts, silence and other forms."""
    match spec:
        case Amount() if isinstance(value, int | float) and spec.high > spec.low:
            return float(np.clip((value - spec.low) / (spec.high - spec.low), 0, 1))
        case Choice() if value in spec.options and len(spec.options) > 1:
            return spec.options.index(value) / (len(spec.options) - 1)
        case Optional():
            return None if value is None else _level(spec.of, value)
        case Fields() if isinstance(value, Mapping):
            parts = [_level(part, value.get(name)) for name, part in spec.specs.items()]
            known = [part for part in parts if part is not None]
            return float(np.mean(known)) if known else None
    return None


def distance(one: Trial, other: Trial) -> float:
    """Return the distance of two fingerprints against the same strategies. Raise `InputError` if nothing can be
    compared."""
    if one.opponents != other.opponents:
        raise InputError("fingerprints are compared only against the same strategies")
    difference = (one.fingerprint - other.fingerprint).ravel()
    difference = difference[np.isfinite(difference)]
    return float(np.sqrt(np.mean(difference**2))) if len(difference) else float("nan")
