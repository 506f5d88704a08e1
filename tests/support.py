"""What tests of the Commons share: tables of scripts and champions, and what can be read off a game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ostrom.core import GameChance
from ostrom.experiment.match import Match, play_match
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.events import CommonsEnded, TurnPlayed
from ostrom.games.commons.play import SeatView
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.strategy import StrategyEntry, entry_of
from ostrom.sim.batch import Batch, BatchResult
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.sweep import SweepResult, play_sweep
from ostrom.sim.sweep_plan import plan_of
from ostrom.testing import Scripted

BUILT_IN = tuple(name for name, entry in CHAMPIONS.items() if entry.origin == "built-in")
WITH_CHANCE = ("RandomPlayer", "Apprenant")
"""The built-in champions that draw."""
DETERMINISTIC = tuple(name for name in BUILT_IN if name not in WITH_CHANCE)


def ending_after(turns: int, **settings: Any) -> CommonsRules:
    """Rules with a known last turn."""
    return CommonsRules(turns=turns, **settings)


def seated(*who: Any) -> list[Any]:
    """Contestants from names of champions, entries, classes of users' champions, scripts, or lists of contributions."""

    def contestant(one: Any) -> Any:
        if isinstance(one, str):
            return CHAMPIONS[one]
        if isinstance(one, type):
            return entry_of(one)
        return Scripted(one) if isinstance(one, list | tuple) else one

    return [contestant(one) for one in who]


def play(rules: CommonsRules, *who: Any, seed: int = 1, game: int = 0) -> Match:
    """One game between whoever `seated` understands."""
    return play_match(COMMONS, rules, seated(*who), GameChance(seed, game))


def turns_of(match: Match) -> list[TurnPlayed]:
    """What happened turn by turn."""
    return [event for event in match.events if isinstance(event, TurnPlayed)]


def end_of(match: Match) -> CommonsEnded:
    """How it ended."""
    last = match.events[-1]
    assert isinstance(last, CommonsEnded)
    return last


def answers_of(match: Match, seat: int, field: str) -> list[Any]:
    """What a seat answered in one field, turn by turn while it was asked; nothing where the field was not asked for."""
    return [d.answer.value.get(field) for d in match.decisions if d.question.seat.index == seat]


def given_by(match: Match, seat: int = 0) -> list[float]:
    """The contributions of a seat while it was in the game."""
    return answers_of(match, seat, "contribution")


def moves_against(name: str, *scripts: Sequence[float], turns: int, **settings: Any) -> list[float]:
    """The contributions of a champion at seat 0 whose others follow scripts, with a known last turn."""
    return given_by(play(ending_after(turns, **settings), name, *(list(script) for script in scripts)))


def batch_of(
    rules: CommonsRules,
    cast: Sequence[StrategyEntry],
    seating: Sequence[Sequence[int]],
    *,
    seed: int = 1,
    first_game: int = 0,
) -> BatchResult:
    """Play a batch; `seating` lists tables, each a list of places in `cast`."""
    tables = np.asarray(seating, dtype=np.int64).T
    games = first_game + np.arange(tables.shape[1], dtype=np.int64)
    return play_batch(Batch(COMMONS, rules=rules, cast=cast, seating=tables, games=games, seed=seed))


def view_of(
    rules: CommonsRules, *, seat: int = 0, capitals: Sequence[float] = (0.0, 0.0, 0.0), **known: Any
) -> SeatView:
    """A view at the opening of a game, changed in what a test is about."""
    opening: dict[str, Any] = {
        "turn": 1,
        "synergy": rules.synergy,
        "alpha": rules.alpha,
        "present": (True,) * len(capitals),
        "history": (),
        "cooperation": None,
        "own": (),
    }
    return SeatView(rules=rules, seat=seat, capitals=tuple(capitals), **(opening | known))


_ENGINE_SETTINGS = ("chunk_size", "workers", "players_files", "cluster", "kept", "progress")


def sweep(vary: Any, *, games: int = 200, seed: int = 0, **settings: Any) -> SweepResult:
    """Plan and play a sweep."""
    engine = {name: settings.pop(name) for name in _ENGINE_SETTINGS if name in settings}
    return play_sweep(plan_of(vary, games=games, seed=seed, **settings), **engine)
