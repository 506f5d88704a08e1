"""Checks of the strategies that come with a game, and of its array form."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from ostrom.core import GameChance, Registry
from ostrom.core.game import Game
from ostrom.experiment.match import play_match
from ostrom.players.base import Contestant
from ostrom.players.strategy import StrategyEntry, entry_of
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing.conformance.case import Case, Check
from ostrom.testing.conformance.sampling import Sampler

_GAMES = 8
"""So many games are played as a batch and one by one."""


def strategies_of(game: Game) -> list[StrategyEntry]:
    """Who comes with a game."""
    part = game.part("players")
    if part is None:
        return []
    return list(part.values()) if isinstance(part, Registry) else [entry_of(one) for one in part]


def check_strategies(case: Case) -> Iterator[str]:
    """Every strategy says what it does, plays by the rules, and plays the same under the same seed."""
    for entry in strategies_of(case.game):
        if not entry.description or entry.description == "(no description)":
            yield f"{entry.name} does not say what it does: its docstring is missing"
        who: list[Contestant] = [entry, *[Sampler()] * (case.seats - 1)]
        first, again = case.play(who), case.play(who)
        if first.values() != again.values():
            yield f"{entry.name} plays differently under the same seed: all its chance must come from its draws"


def check_batch(case: Case) -> Iterator[str]:
    """A batch of games gives what the same games give one by one."""
    cast = [entry for entry in strategies_of(case.game) if entry.rows is not None]
    if case.game.step is None or case.game.finals is None or not cast:
        return
    places = np.arange(case.seats * _GAMES).reshape(case.seats, _GAMES)
    seating = (places + places // _GAMES * 3) % len(cast)
    games = np.arange(_GAMES, dtype=np.int64)
    batch = play_batch(Batch(case.game, case.rules, cast, seating, games, case.seed))
    for game in range(_GAMES):
        players = [cast[who] for who in seating[:, game]]
        match = play_match(case.game, case.rules, players, GameChance(case.seed, game))
        single = np.asarray([np.nan if one is None else one for one in case.game.finals(match.events)])
        if not np.allclose(batch.finals[:, game], single, rtol=1e-9, atol=1e-9, equal_nan=True):
            names = ", ".join(entry.name for entry in players)
            yield (
                f"game {game} between {names} ends with {batch.finals[:, game].tolist()} in a batch and with "
                f"{single.tolist()} by itself"
            )
            return


STRATEGY_CHECKS: Final[Mapping[str, Check]] = {"strategies": check_strategies, "batch equals single": check_batch}
