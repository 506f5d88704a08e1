"""The two ways to write a champion, which is what the Commons calls a strategy, and the registry that holds both: a
*row champion* decides for any number of rows at once, a *champion* plays one seat of one game in plain Python."""

from abc import abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from typing_extensions import override

from ostrom.core import InputError, Question, Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.commons.play import SeatView
from ostrom.games.commons.rules import NOBODY
from ostrom.games.commons.step import DRAWS, STEP, RowView
from ostrom.players.strategy import Draw, Memory, RowStrategy, Strategy, StrategyEntry, enter, entry_of


class RowChampion(RowStrategy):
    """A champion over rows. The first sentence of its docstring is its description."""

    step = STEP
    lobbies: ClassVar[bool] = False
    """Whether it ever spends capital on α."""
    votes: ClassVar[bool] = False
    """Whether it ever votes to exclude somebody."""

    @override
    def makes(self, field: str) -> bool:
        return {"lobby": self.lobbies, "vote": self.votes}.get(field, True)

    @override
    def decide(self, phase: str, view: RowView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        given, after = self.contribute(view, memory)
        moves = {"contribution": given}
        if self.lobbies and "lobby" in fields:
            moves["lobby"] = self.lobby(view, memory)
        if self.votes and "vote" in fields:
            moves["vote"] = self.vote(view, memory)
        return moves, after

    @abstractmethod
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """The fraction of the endowment to give, for each row, and what to remember of having given it."""

    def lobby(self, view: RowView, memory: Memory) -> Array:
        """Capital to spend on α, for each row: positive toward equal shares, negative toward proportional ones."""
        return view.constant(0.0)

    def vote(self, view: RowView, memory: Memory) -> Array:
        """The seat to exclude, for each row, or `NOBODY`."""
        return view.xp.astype(view.constant(NOBODY), view.xp.int16)


@dataclass(frozen=True)
class Context(SeatView):
    """What a scalar champion is given: all that its seat may know, and chance."""

    draw: Callable[[], float]
    """A number in [0, 1) that the game's seed determines; the only source of chance for a champion."""


class Champion(Strategy[SeatView]):
    """Base of users' own champions: one instance per game and seat. Write `decide`; add `lobby` and `vote_exclusion`
    if it has use for them. The first sentence of the docstring is its description, unless `description` is set."""

    @abstractmethod
    def decide(self, ctx: Context) -> float:
        """The fraction of the endowment to give, from 0 to 1."""

    def lobby(self, ctx: Context) -> float:
        """Capital to spend on α, at most what the seat holds: positive toward equal shares, negative toward
        proportional ones."""
        return 0.0

    def vote_exclusion(self, ctx: Context) -> int | None:
        """The seat to exclude, one of `ctx.others`, or nobody."""
        return None

    @override
    def answer(self, question: Question[SeatView], draw: Draw) -> object:
        seen = question.view
        context = Context(**vars(seen), draw=draw)
        answer: dict[str, object] = {"contribution": self.decide(context)}
        if seen.rules.lobbying:
            answer["lobby"] = self.lobby(context)
        if seen.may_vote:
            answer["vote"] = self.vote_exclusion(context)
        return answer

    @override
    def purpose(self, question: Question[SeatView]) -> str:
        """That of the row champions' draws, so that both draw the same."""
        return DRAWS


CHAMPIONS: Registry[StrategyEntry] = Registry("champion")

Defined = TypeVar("Defined", bound=type[RowChampion] | type[Champion])


def register_champion(defined: Defined) -> Defined:
    """Class decorator: register a champion under the name of its class."""
    if not isinstance(defined, type) or not issubclass(defined, RowChampion | Champion):
        called = getattr(defined, "__name__", repr(defined))
        raise InputError(f"{called} is not a champion; it must derive from ostrom.Champion")
    enter(CHAMPIONS, entry_of(defined))
    return defined
