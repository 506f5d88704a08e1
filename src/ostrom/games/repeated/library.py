"""Strategies of the Axelrod library as players, `axelrod:NAME`: an extra, imported when one of them is named. They play
matrices of two actions, and know of a match its length, its payoffs and its noise, as in Axelrod.

The library is imported for its strategies alone. Its dependencies for tournaments, plots and tables of results
(Matplotlib, pandas, Dask's data frames; some 400 MB) are not loaded, and need not be installed."""

import difflib
import importlib
import inspect
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from typing_extensions import override

from ostrom.core import InputError, PlayerFault, Question
from ostrom.games.repeated.play import CHOICE, PairRound, RepeatedView
from ostrom.players.strategy import Draw, Strategy, StrategyEntry

FAMILY: Final = "axelrod"
_CHEATS: Final = ("inspects_source", "manipulates_source", "manipulates_state")
_SEEDS: Final = 2**32 - 1


@cache
def strategies() -> dict[str, Any]:
    """The classes of all strategies of Axelrod that keep to the rules of a match, by the names of their classes."""
    fair = (one for one in axelrod().all_strategies if not any(one.classifier.get(how) for how in _CHEATS))
    return {one.__name__: one for one in fair}


def axelrod_player(text: str) -> StrategyEntry:
    """A strategy of Axelrod by the name of its class, or by what its documentation calls it."""
    known = strategies()
    by_title = {one.name.casefold(): name for name, one in known.items()}
    name = text.strip() if text.strip() in known else by_title.get(text.strip().casefold())
    if name is None:
        near = difflib.get_close_matches(text, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "its documentation lists them"
        raise InputError(f"Axelrod has no strategy {text!r} that could play here; {hint}")
    described = f"{known[name].name}, of the Axelrod library"
    factory = partial(AxelrodStrategy, name)
    return StrategyEntry(f"{FAMILY}:{name}", described, factory, None, __name__, "AxelrodStrategy")


class AxelrodStrategy(Strategy[RepeatedView]):
    """A player of Axelrod's at one seat. It is told each round what both did, after the noise."""

    def __init__(self, name: str) -> None:
        axl = axelrod()
        self._player = strategies()[name]()
        self._opponent = axl.MockPlayer()
        self._actions = (axl.Action.C, axl.Action.D)
        self._game = axl.Game
        self._stochastic = axl.Classifiers["stochastic"](self._player)
        self._rounds = 0

    @override
    def answer(self, question: Question[RepeatedView], draw: Draw) -> object:
        """Ask it for its action; to a message it has no answer."""
        if question.phase != CHOICE:
            return question.fallback
        view = question.view
        if self._rounds == 0:
            self._sit_down(view)
        if self._stochastic:
            self._player.set_seed(int(draw() * _SEEDS))
        for past in view.history[self._rounds - 1 :] if self._rounds else view.history:
            self._take_in(view.seat, past)
        chosen = self._player.strategy(self._opponent)
        self._rounds = view.round
        return self._actions.index(chosen)

    def _take_in(self, seat: int, past: PairRound) -> None:
        if self._rounds == 0:  # a game that goes on where it was interrupted: the player sees what it then saw
            self._player.strategy(self._opponent)
        own, other = (self._actions[past.actions[place]] for place in (seat, 1 - seat))
        self._player.update_history(own, other)
        self._opponent.update_history(other, own)

    def _sit_down(self, view: RepeatedView) -> None:
        matrix, rules = view.rules.game, view.rules
        if not matrix.two_by_two:
            raise PlayerFault("strategies of Axelrod play matrices of two actions for each player, and no others")
        (r, s), (t, p) = matrix.own(view.seat).tolist()
        length = math.inf if rules.rounds is None else rules.rounds
        attributes = {"length": length, "game": self._game(r=r, s=s, t=t, p=p), "noise": rules.noise}
        self._player.set_match_attributes(**attributes)
        self._opponent.set_match_attributes(**attributes)


# The import of the library.

UNUSED: Final = ("dask", "matplotlib", "mpl_toolkits", "pandas", "tqdm")
"""Packages that no strategy uses."""


@cache
def axelrod() -> Any:
    """The library. Raises `InputError` where the extra is missing."""
    try:
        with _placeholders(), _sources_read_once():
            return importlib.import_module("axelrod")
    except ImportError as error:
        missing = "" if error.name == "axelrod" else f" ({error.name} is missing)"
        raise InputError(f"axelrod:NAME needs Axelrod: pip install 'ostrom[axelrod]'{missing}") from None


class _Placeholder(ModuleType):
    """Stands for a module, or for anything in it, while files that mention it are read."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *_: object, **__: object) -> Any:
        raise ImportError(f"{self.__name__} is not loaded: it is not needed to play")


class _Finder(MetaPathFinder, Loader):
    """Finds placeholders for what no strategy uses."""

    def __init__(self) -> None:
        self.made: list[_Placeholder] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] in UNUSED else None

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.made.append(_Placeholder(spec.name))
        return self.made[-1]

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing in it."""


@contextmanager
def _placeholders() -> Iterator[None]:
    """Provide placeholders to importers within this block; afterwards they are removed, so that imports find the real
    modules."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for module in finder.made:
            del sys.modules[module.__name__]
            parent, _, name = module.__name__.rpartition(".")
            if vars(sys.modules.get(parent, module)).get(name) is module:
                delattr(sys.modules[parent], name)


@contextmanager
def _sources_read_once() -> Iterator[None]:
    """Axelrod reads the source of its strategies thousands of times to classify them, which takes most of the time of
    its import."""
    plain = inspect.getsource
    inspect.getsource = cache(plain)  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getsource = plain
