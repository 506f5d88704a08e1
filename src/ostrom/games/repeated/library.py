"""Strategies of the Axelrod library as players, which are named `axelrod:NAME`. The library is an extra, and is
imported only when it is used. Its strategies play matrices with two actions. As in Axelrod, they know the length, the
payoffs and the noise of a match.

The library's dependencies for tournaments and plots (Matplotlib, pandas, Dask; about 400 MB) are neither loaded nor
required."""

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
from importlib.util import find_spec
from multiprocessing import parent_process
from types import ModuleType
from typing import Any, Final

from typing_extensions import override

from ostrom.core import InputError, PlayerFault, Question
from ostrom.core.outlets import complain
from ostrom.games.repeated.play import CHOICE, PairRound, RepeatedView
from ostrom.players.strategy import Draw, Strategy, StrategyEntry

FAMILY: Final = "axelrod"
_CHEATS: Final = ("inspects_source", "manipulates_source", "manipulates_state")
_MAX_SEED: Final = 2**32 - 1


@cache
def strategies() -> dict[str, Any]:
    """Return the classes of all strategies of Axelrod by class name. Strategies that cheat, by reading or changing
    their opponent, are left out."""
    classes = axelrod().all_strategies
    return {kind.__name__: kind for kind in classes if not any(kind.classifier.get(cheat) for cheat in _CHEATS)}


def axelrod_player(text: str) -> StrategyEntry:
    """Return a strategy of Axelrod by its class name or its title. Raises `InputError` for an unknown name."""
    known = strategies()
    by_title = {kind.name.casefold(): name for name, kind in known.items()}
    name = text.strip() if text.strip() in known else by_title.get(text.strip().casefold())
    if name is None:
        near = difflib.get_close_matches(text, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "its documentation lists them"
        raise InputError(f"Axelrod has no strategy {text!r} that could play here; {hint}")
    description = f"{known[name].name}, of the Axelrod library"
    factory = partial(AxelrodStrategy, name)
    return StrategyEntry(f"{FAMILY}:{name}", description, factory, None, __name__, "AxelrodStrategy")


class AxelrodStrategy(Strategy[RepeatedView]):
    """A player of Axelrod in one seat. The actions that it sees are those after the noise."""

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
        if question.phase != CHOICE:
            return question.fallback
        view = question.view
        if self._rounds == 0:
            self._set_match(view)
        if self._stochastic:
            self._player.set_seed(int(draw() * _MAX_SEED))
        for past in view.history[self._rounds - 1 :] if self._rounds else view.history:
            self._update(view.seat, past)
        chosen = self._player.strategy(self._opponent)
        self._rounds = view.round
        return self._actions.index(chosen)

    def _update(self, seat: int, past: PairRound) -> None:
        if self._rounds == 0:  # In a resumed game, the player repeats its past decisions to restore its state.
            self._player.strategy(self._opponent)
        own, other = (self._actions[past.actions[place]] for place in (seat, 1 - seat))
        self._player.update_history(own, other)
        self._opponent.update_history(other, own)

    def _set_match(self, view: RepeatedView) -> None:
        matrix, rules = view.rules.game, view.rules
        if not matrix.two_by_two:
            raise PlayerFault("strategies of Axelrod play matrices of two actions for each player, and no others")
        (r, s), (t, p) = matrix.own(view.seat).tolist()
        length = math.inf if rules.rounds is None else rules.rounds
        attributes = {"length": length, "game": self._game(r=r, s=s, t=t, p=p), "noise": rules.noise}
        self._player.set_match_attributes(**attributes)
        self._opponent.set_match_attributes(**attributes)


# The following functions import the library.

UNUSED: Final = ("dask", "matplotlib", "mpl_toolkits", "pandas", "tqdm")
"""Packages that no strategy uses."""


@cache
def axelrod() -> Any:
    """Return the module of the Axelrod library. Raises `InputError` if the extra is not installed."""
    if "axelrod" not in sys.modules and find_spec("axelrod") is not None and parent_process() is None:
        complain("importing the Axelrod library, which takes up to half a minute")
    try:
        with _placeholders(), _cached_sources():
            return importlib.import_module("axelrod")
    except ImportError as error:
        missing = "" if error.name == "axelrod" else f" ({error.name} is missing)"
        raise InputError(f"axelrod:NAME needs Axelrod: pip install 'ostrom[axelrod]'{missing}") from None


class _Placeholder(ModuleType):
    """Replaces an unused module, or any of its attributes, while the library is imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *_: object, **__: object) -> Any:
        raise ImportError(f"{self.__name__} is not loaded: it is not needed to play")


class _Finder(MetaPathFinder, Loader):
    """Imports placeholders instead of unused packages."""

    def __init__(self) -> None:
        self.placeholders: list[_Placeholder] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] in UNUSED else None

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.placeholders.append(_Placeholder(spec.name))
        return self.placeholders[-1]

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing, because a placeholder contains no code."""


@contextmanager
def _placeholders() -> Iterator[None]:
    """Provide placeholders within this block. They are removed afterwards, so that later imports find the real
    modules."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for module in finder.placeholders:
            del sys.modules[module.__name__]
            parent, _, name = module.__name__.rpartition(".")
            if vars(sys.modules.get(parent, module)).get(name) is module:
                delattr(sys.modules[parent], name)


@contextmanager
def _cached_sources() -> Iterator[None]:
    """Cache `inspect.getsource` within this block. Axelrod reads the source of its strategies thousands of times, which
    takes most of the time of its import."""
    getsource = inspect.getsource
    inspect.getsource = cache(getsource)  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getsource = getsource
