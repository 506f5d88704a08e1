"""A verb is one thing the lab does, such as a tournament or a sweep: a function with one `Settings` that returns one
`Finding`. Commands, the library and pages are made from this declaration.

The function names what it needs as parameters, and each surface supplies them: `game`, `rules`, `players`, `journal`,
`store`, `settings`, `reporter`."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ostrom.core.errors import as_argument
from ostrom.core.finding import Finding
from ostrom.core.settings import Settings

PARAMETERS: Final = frozenset({"game", "rules", "players", "journal", "store", "settings", "reporter"})


class Reporter:
    """Takes notes and progress of a verb while it runs. This one is silent."""

    scratch: Path | None = None
    """A folder for large tables, if the finding is to be kept in a journal."""

    def note(self, text: str) -> None:
        """Tell the user something before the result is there."""

    def spell(self, name: str, value: str | None) -> str:
        """Return the name of a setting, with a value if given, as the user writes it."""
        return as_argument(name, value)

    def bar(self, title: str, total: int | None, unit: str = "games") -> AbstractContextManager[Callable[..., None]]:
        """Return a context whose value advances the progress by one or more."""
        return _no_bar()


@contextmanager
def _no_bar() -> Iterator[Callable[..., None]]:
    yield lambda done=1, **now: None


SILENT: Final = Reporter()


@dataclass(frozen=True)
class Verb:
    """A verb and what each surface needs to know of it."""

    name: str
    run: Callable[..., Finding]
    game: str | None = None
    """The game that is meant where none is named."""
    strategies: bool = False
    """Whether its settings name strategies, which files may bring."""
    optional_game: bool = False
    """Whether it may run without a game; it is then given None unless one is named, and rules as a mapping."""
    keeps: bool = True
    """Whether its finding can be kept in a journal as an experiment."""

    @cached_property
    def settings(self) -> type[Settings]:
        """The class of its settings."""
        kind: type[Settings] = inspect.get_annotations(self.run, eval_str=True)["settings"]
        assert issubclass(kind, Settings), f"the settings of {self.name} are no Settings"
        return kind

    @cached_property
    def needs(self) -> frozenset[str]:
        """The parameters that a surface supplies."""
        names = frozenset(inspect.signature(self.run).parameters)
        assert names <= PARAMETERS, f"{self.name} asks for {', '.join(sorted(names - PARAMETERS))}"
        return names

    @property
    def summary(self) -> str:
        """The first sentence of its documentation."""
        return inspect.cleandoc(self.run.__doc__ or "").partition("\n\n")[0]

    def __call__(self, supplied: Mapping[str, Any]) -> Finding:
        """Run it with what it needs of the supplied parameters."""
        return self.run(**{name: supplied[name] for name in self.needs})


def verb(
    name: str,
    *,
    game: str | None = None,
    strategies: bool = False,
    optional_game: bool = False,
    keeps: bool = True,
) -> Callable[[Callable[..., Finding]], Verb]:
    """Declare a function as a verb; `Verb` has the meaning of the arguments."""

    def declare(function: Callable[..., Finding]) -> Verb:
        return Verb(name, function, game, strategies, optional_game, keeps)

    return declare
