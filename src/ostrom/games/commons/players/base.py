"""The two ways to write a champion, and the registry that holds both.

A *row champion* decides for any number of rows at once, without branches, so that one definition serves a single game
and a batch of millions; the built-in ones are written so. A *scalar champion*, for users' own, is a class whose
instance plays one seat of one game in plain Python.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, TypeVar

from ostrom.core import InputError, Registry
from ostrom.core.arrays import Array
from ostrom.games.commons.players.rows import RowView
from ostrom.games.commons.turn import NOBODY
from ostrom.games.commons.view import SeatView

Memory: TypeAlias = Any
"""What a row champion remembers: a tuple of arrays whose last axis is rows."""


class RowChampion(ABC):
    """A champion over rows. The first sentence of its docstring is its description."""

    lobbies: ClassVar[bool] = False
    """Whether it ever spends capital on α."""
    votes: ClassVar[bool] = False
    """Whether it ever votes to exclude somebody."""

    @property
    def name(self) -> str:
        """The name under which results are listed: the class's."""
        return type(self).__name__

    @property
    def description(self) -> str:
        """What it does, in a sentence."""
        return _first_sentence(self)

    def opening(self, view: RowView) -> Memory:
        """The memory before the first turn."""
        return ()

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Take in what the last turn brought. Called at the start of every turn but the first, before the decisions."""
        return memory

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


class Champion(ABC):
    """Base of users' own champions: one instance per game and seat. Write `decide`; add `lobby` and `vote_exclusion`
    if it has use for them. The first sentence of the docstring is its description, unless `description` is set."""

    description: ClassVar[str] = ""

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


@dataclass(frozen=True)
class ChampionEntry:
    """A champion in the registry."""

    name: str
    description: str
    rows: RowChampion | None
    """The champion itself, where it decides over rows."""
    scalar: type[Champion] | None
    """The class to instantiate per game and seat, where it is a user's own."""
    origin: str
    """Where it comes from: 'built-in', or the file or package that defines it."""


CHAMPIONS: Registry[ChampionEntry] = Registry("champion")

Defined = TypeVar("Defined", bound=type[RowChampion] | type[Champion])


def register_champion(defined: Defined) -> Defined:
    """Class decorator: enter a champion under its class's name."""
    entry = entry_of(defined)
    CHAMPIONS.add(entry.name, entry)
    return defined


def entry_of(defined: type[RowChampion] | type[Champion]) -> ChampionEntry:
    """A champion as the registry would hold it."""
    if not isinstance(defined, type) or not issubclass(defined, RowChampion | Champion):
        called = getattr(defined, "__name__", repr(defined))
        raise InputError(f"{called} is no champion; it must derive from ostrom.Champion")
    origin = "built-in" if defined.__module__.startswith("ostrom.games.commons.players.") else defined.__module__
    if issubclass(defined, RowChampion):
        rows = defined()
        return ChampionEntry(rows.name, rows.description, rows=rows, scalar=None, origin=origin)
    described = defined.description or _first_sentence(defined)
    return ChampionEntry(defined.__name__, described, rows=None, scalar=defined, origin=origin)


def _first_sentence(described: object) -> str:
    text = " ".join((described.__doc__ or "").split())
    return text.split(". ")[0].rstrip(".") if text else "(no description)"
