"""Imports the Axelrod library for its strategies alone. What it needs for tournaments, plots and tables of results
(Matplotlib, pandas, Dask's data frames; some 400 MB) is not loaded, and need not be installed."""

import importlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from typing_extensions import override

from ostrom.core import InputError

UNUSED: Final = ("dask", "matplotlib", "mpl_toolkits", "pandas", "tqdm")
"""What no strategy uses."""


@cache
def axelrod() -> Any:
    """The library. Raises `InputError` where the extra is missing."""
    try:
        with _placeholders(), _sources_read_once():
            return importlib.import_module("axelrod")
    except ImportError as error:
        lacks = "" if error.name == "axelrod" else f" ({error.name} is missing)"
        raise InputError(f"axelrod:NAME needs Axelrod: pip install 'ostrom[axelrod]'{lacks}") from None


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
    """Give placeholders to whoever asks; afterwards nothing is left of them, so that others find the real modules."""
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
