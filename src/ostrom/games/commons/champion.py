"""Champions, the strategies of the Commons, and their registry. A *row champion* decides for many games at once, with
one array row for each seat. A *champion* plays one seat of one game in plain Python."""

from abc import abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from typing_extensions import override

from ostrom.core import InputError, Question, Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.commons.play import SeatView
from ostrom.games.commons.rules import NO_SEAT
from ostrom.games.commons.step import DRAWS, STEP, RowView
from ostrom.players.strategy import Draw, Memory, RowStrategy, Strategy, StrategyEntry, enter, entry_of


class RowChampion(RowStrategy):
    """A champion that decides for many games at once, with one array row for each seat of a game. The first sentence of
    its docstring is its description."""

    step = STEP
    lobbies: ClassVar[bool] = False
    """True if the champion ever spends capital on α."""
    votes: ClassVar[bool] = False
    """True if the champion ever votes."""

    @override
    def makes(self, field: str) -> bool:
        return {"lobby": self.lobbies, "vote": self.votes}.get(field, True)

    @override
    def decide(self, phase: str, view: RowView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        contributions, after = self.contribute(view, memory)
        moves = {"contribution": contributions}
        if self.lobbies and "lobby" in fields:
            moves["lobby"] = self.lobby(view, memory)
        if self.votes and "vote" in fields:
            moves["vote"] = self.vote(view, memory)
        return moves, after

    @abstractmethod
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Return the fraction of the endowment to give, for each row, and the new memory."""

    def lobby(self, view: RowView, memory: Memory) -> Array:
        """Return the capital to spend on α, for each row. Positive amounts move α toward equal shares, negative ones
        toward proportional shares."""
        return view.constant(0.0)

    def vote(self, view: RowView, memory: Memory) -> Array:
        """Return the index of the seat to exclude, for each row, or −1 for none."""
        return view.xp.astype(view.constant(NO_SEAT), view.xp.int16)


@dataclass(frozen=True)
class Context(SeatView):
    """The argument of a champion's methods. It has all that the seat may know, and a source of random numbers."""

    draw: Callable[[], float]
    """A function that returns a random number in [0, 1). It is a champion's only source of chance, and its numbers are
    determined by the game's seed."""


class Champion(Strategy[SeatView]):
    """Base class of users' own champions. There is one instance per game and seat. Write `decide`, and `lobby` and
    `vote_exclusion` if needed. The first sentence of the docstring is its description, unless `description` is set."""

    @abstractmethod
    def decide(self, ctx: Context) -> float:
        """Return the fraction of the endowment to give, from 0 to 1."""

    def lobby(self, ctx: Context) -> float:
        """Return the capital to spend on α, at most the capital of the seat. Positive amounts move α toward equal
        shares, negative ones toward proportional shares."""
        return 0.0

    def vote_exclusion(self, ctx: Context) -> int | None:
        """Return the seat to exclude, which must be one of `ctx.others`, or None."""
        return None

    @override
    def answer(self, question: Question[SeatView], draw: Draw) -> object:
        view = question.view
        context = Context(**vars(view), draw=draw)
        answer: dict[str, object] = {"contribution": self.decide(context)}
        if view.rules.lobbying:
            answer["lobby"] = self.lobby(context)
        if view.may_vote:
            answer["vote"] = self.vote_exclusion(context)
        return answer

    @override
    def purpose(self, question: Question[SeatView]) -> str:
        # The row champions' draws have the same purpose, so that both forms draw the same numbers.
        return DRAWS


CHAMPIONS: Registry[StrategyEntry] = Registry("champion")

Defined = TypeVar("Defined", bound=type[RowChampion] | type[Champion])


def register_champion(defined: Defined) -> Defined:
    """Register a champion under the name of its class. Raises `InputError` if the class is not a champion."""
    if not isinstance(defined, type) or not issubclass(defined, RowChampion | Champion):
        name = getattr(defined, "__name__", repr(defined))
        raise InputError(f"{name} is not a champion; it must derive from ostrom.Champion")
    enter(CHAMPIONS, entry_of(defined))
    return defined
