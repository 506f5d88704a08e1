"""Built-in players at a table: what turns a question of Contribute & Punish into their view, and a decision into an
answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.core import Chance, GameChance, InputError, Question, Seat
from ostrom.core.chance import key_of
from ostrom.games.commons.players.rows import OneSeat
from ostrom.games.contribute_punish.players.rows import RoundTable, RoundView
from ostrom.games.contribute_punish.players.strategies import Punisher
from ostrom.games.contribute_punish.steps import NOBODY
from ostrom.games.contribute_punish.view import PunishView
from ostrom.players.base import Player


@dataclass(frozen=True)
class PunisherContestant:
    """A built-in player, ready to sit down."""

    punisher: Punisher

    @property
    def name(self) -> str:
        """The player's name."""
        return self.punisher.name

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """A new player for one seat of one game."""
        if not isinstance(chance, GameChance):
            raise InputError(f"{self.name} draws chance; it cannot sit down in a game that has no seed")
        return PunisherPlayer(self.punisher, chance)


@dataclass(frozen=True)
class PunisherPlayer:
    """A built-in player in a single game: a batch of one row."""

    punisher: Punisher
    chance: GameChance

    def answer(self, question: Question) -> object:
        """Speak, contribute or punish, as the question asks."""
        seen: PunishView = question.view
        if question.phase == "message":
            return self.punisher.message(seen)
        view = RoundView(self._table(seen, question.phase), OneSeat(seen.seat))
        if question.phase == "contribution":
            return int(self.punisher.contribute(view)[0])
        target, spend = (int(each[0]) for each in self.punisher.punish(view))
        return {"target": None if target == NOBODY else target, "spend": spend}

    def _table(self, seen: PunishView, phase: str) -> RoundTable:
        seats, last = len(seen.balances), seen.history[-1] if seen.history else None
        hits = np.zeros((seats, seats, 1), dtype=np.int64)
        for each in last.punishments if last else ():
            # Who hides behind an anonymous punishment is not for this seat to know.
            if each.punisher is not None:
                hits[each.punisher, each.target, 0] += each.damage
        if phase == "punishment":
            assert seen.contributions is not None
            given: Any = seen.contributions
            # What each held before the share came in and the gift went out is what it started the round with.
            start: Any = last.balances if last else (seen.rules.start,) * seats
        else:
            given, start = (last.contributions, last.start) if last else ((0,) * seats, (0,) * seats)
        return RoundTable(
            rules=seen.rules,
            round=seen.round,
            balances=_column(seen.balances),
            start=_column(start),
            contributions=_column(given),
            hits=hits,
            games=np.asarray([self.chance.game], dtype=np.uint64),
            key=key_of(self.chance.seed),
        )


def _column(values: Any) -> Any:
    return np.asarray(values, dtype=np.int64)[:, None]
