"""What a built-in player of Contribute & Punish is: two decisions over rows, and something to say."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from ostrom.games.contribute_punish.steps import NOBODY
from ostrom.games.contribute_punish.view import PunishView
from ostrom.players.punishers.rows import RoundView
from ostrom.table import Registry
from ostrom.table.arrays import Array


class Choice(NamedTuple):
    """Whom to punish, and with how much, for each row."""

    target: Array
    spend: Array


class Punisher(ABC):
    """A built-in player. The first sentence of its docstring is its description. It keeps nothing in mind but what
    the table shows, so it needs no memory."""

    @property
    def name(self) -> str:
        """The name under which results are listed: the class's."""
        return type(self).__name__

    @property
    def description(self) -> str:
        """What it does, in a sentence."""
        return " ".join((self.__doc__ or "").split()).split(". ")[0].rstrip(".")

    @abstractmethod
    def contribute(self, view: RoundView) -> Array:
        """Whole tokens to give, for each row."""

    def punish(self, view: RoundView) -> Choice:
        """Nobody, unless it says otherwise."""
        return nobody(view)

    def message(self, view: PunishView) -> str:
        """What it says before contributing; the empty text is silence."""
        return ""


def nobody(view: RoundView) -> Choice:
    """Punish nobody."""
    nothing = view.xp.zeros_like(view.balance)
    return Choice(nothing + NOBODY, nothing)


def picked(view: RoundView, score: Array, eligible: Array, spend: Array) -> Choice:
    """Punish the other seat with the highest score (seats, rows) among those eligible, the lower seat on a tie;
    nobody where none is eligible or nothing can be spent. What is spent is kept within what the player may."""
    xp = view.xp
    nothing = xp.zeros_like(view.balance)
    target, best = nothing + NOBODY, nothing
    for seat, other in view.other_seats():
        better = eligible[seat] & other & ((target == NOBODY) | (score[seat] > best))
        target, best = xp.where(better, seat, target), xp.where(better, score[seat], best)
    spend = xp.minimum(spend, view.most)
    acts = (target != NOBODY) & (spend > 0)
    return Choice(xp.where(acts, target, NOBODY), xp.where(acts, spend, 0))


PUNISHERS: Registry[Punisher] = Registry("player")
