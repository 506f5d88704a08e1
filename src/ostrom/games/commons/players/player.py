"""Champions at a table: what turns a question into a champion's view, and its decision into an answer."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.core import Chance, GameChance, InputError, PlayerFault, Question, Seat
from ostrom.core.chance import key_of
from ostrom.games.commons.players.base import Champion, ChampionEntry, Context, Memory, RowChampion
from ostrom.games.commons.players.rows import DRAWS, OneSeat, RowView, TableView
from ostrom.games.commons.turn import NOBODY, State
from ostrom.games.commons.view import SeatView
from ostrom.players.base import Player


@dataclass(frozen=True)
class ChampionContestant:
    """A champion of the registry, ready to sit down."""

    entry: ChampionEntry

    @property
    def name(self) -> str:
        """The champion's name."""
        return self.entry.name

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """A new player for one seat of one game."""
        if not isinstance(chance, GameChance):
            raise InputError(f"{self.name} draws chance; it cannot sit down in a game that has no seed")
        if self.entry.rows is not None:
            return RowPlayer(self.entry.rows, chance)
        assert self.entry.scalar is not None
        return ScalarPlayer(self.entry.scalar, seat, chance)


class RowPlayer:
    """A row champion in a single game: a batch of one row."""

    def __init__(self, champion: RowChampion, chance: GameChance) -> None:
        self._champion = champion
        self._games = np.asarray([chance.game], dtype=np.uint64)
        self._key = key_of(chance.seed)
        self._memory: Memory = None

    def answer(self, question: Question) -> object:
        """Decide what the view asks for."""
        seen: SeatView = question.view
        table = TableView(seen.rules, seen.turn, _as_state(seen), self._games, self._key)
        view = RowView(table, OneSeat(seen.seat))
        champion, memory = self._champion, self._memory
        memory = champion.opening(view) if memory is None else champion.remember(view, memory)
        contribution, self._memory = champion.contribute(view, memory)
        answer: dict[str, object] = {"contribution": float(contribution[0])}
        if seen.rules.lobbying:
            answer["lobby"] = float(champion.lobby(view, memory)[0]) if champion.lobbies else 0.0
        if seen.may_vote:
            vote = int(champion.vote(view, memory)[0]) if champion.votes else NOBODY
            answer["vote"] = None if vote == NOBODY else vote
        return answer


def _as_state(seen: SeatView) -> State:
    """The view in the shape of the rules' state. Before the first turn everyone stands as having given everything."""
    seats = len(seen.capitals)

    def column(values: Any) -> Any:
        return np.asarray(values, dtype=np.float64)[:, None]

    gains = np.full((seats, 1), np.nan)  # what the others gained is not for this seat to know
    gains[seen.seat] = seen.own[-1].gain if seen.own else seen.rules.endowment
    return State(
        capital=column(seen.capitals),
        present=None if all(seen.present) else np.asarray(seen.present)[:, None],
        alpha=np.asarray([seen.alpha]),
        synergy=np.asarray([seen.synergy]),
        contributions=column(seen.contributions or (1.0,) * seats),
        gains=gains,
        cooperation=np.asarray([1.0 if seen.cooperation is None else seen.cooperation]),
    )


class ScalarPlayer:
    """A user's own champion: one instance, one seat, one game."""

    def __init__(self, champion: type[Champion], seat: Seat, chance: GameChance) -> None:
        self._name = champion.__name__
        self._seat = seat
        self._chance = chance
        self._instance = self._call("when it sat down", champion)

    def answer(self, question: Question) -> object:
        """Ask the champion; what it raises is its own fault and names it."""
        seen: SeatView = question.view
        drawn = 0

        def draw() -> float:
            nonlocal drawn
            drawn += 1
            return self._chance.uniform(DRAWS, seen.turn, seen.seat, drawn - 1)

        context = Context(**vars(seen), draw=draw)
        when = f"in turn {seen.turn}"
        answer: dict[str, object] = {"contribution": self._call(when, self._instance.decide, context)}
        if seen.rules.lobbying:
            answer["lobby"] = self._call(when, self._instance.lobby, context)
        if seen.may_vote:
            answer["vote"] = self._call(when, self._instance.vote_exclusion, context)
        return answer

    def _call(self, when: str, method: Callable[..., Any], *arguments: object) -> Any:
        try:
            with redirect_stdout(sys.stderr):  # standard output is for results
                return method(*arguments)
        except (Exception, SystemExit) as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise PlayerFault(f"{self._name} (seat {self._seat}) raised {' '.join(what.split())} {when}") from error
