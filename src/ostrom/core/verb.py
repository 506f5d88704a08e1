"""A verb is an operation of the lab, such as a tournament or a sweep. It is a function with one `Settings` parameter
that returns one `Finding`. The command, the library function and the page of a verb are derived from this declaration.

Each surface supplies the parameters that the function declares. They can be `game`, `rules`, `players`, `journal`,
`store`, `settings`, `limits` (None if the user set no limits), `reporter` and `runner` (an
`ostrom.experiment.store.PlanRunner`, for verbs that play games of a journal).
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ostrom.core.errors import as_argument
from ostrom.core.finding import Finding
from ostrom.core.game import Game
from ostrom.core.settings import Settings

PARAMETERS: Final = frozenset(
    {"game", "rules", "players", "journal", "store", "settings", "limits", "reporter", "runner"}
)


class Reporter:
    """Receives notes and progress of a verb while it runs. The base class ignores them."""

    scratch: Path | None = None
    """A folder for large tables if the finding will be stored in a journal; otherwise None."""

    def note(self, text: str) -> None:
        """Show a message while the verb is still running."""

    def spell(self, name: str, value: str | None) -> str:
        """Return the name of a setting, and its value if given, as the user writes it."""
        return as_argument(name, value)

    def bar(self, title: str, total: int | None, unit: str = "games") -> AbstractContextManager[Callable[..., None]]:
        """Return a context manager for a progress bar. Its value is a function that advances the bar by one or more."""
        return _no_bar()


@contextmanager
def _no_bar() -> Iterator[Callable[..., None]]:
    yield lambda done=1, **now: None


SILENT: Final = Reporter()


@dataclass(frozen=True)
class Verb:
    """A verb and its properties. All surfaces use them."""

    name: str
    run: Callable[..., Finding]
    game: str | None = None
    """The default game."""
    strategies: bool = False
    """True if the settings name strategies, which may be defined in files."""
    optional_game: bool = False
    """True if the verb may run without a game; `game` is then None, and `rules` is a mapping."""
    find: Callable[[str], Game] | None = None
    """A function that returns the game with a name, if only some games have the verb."""
    names: Callable[[], list[str]] | None = None
    """A function that returns the names of the games that have the verb."""
    fixed_limits: Sequence[str] = ()
    """Limits that this verb fixes, so that it has no options for them."""
    keeps: bool = True
    """True if the finding can be stored in a journal as an experiment."""
    models: bool = False
    """True if the players may be bots and models as well as strategies."""
    people: bool = False
    """True if people may play; they take their seats on pages."""
    group: str = ""
    """The group of the help in which its command is listed: play, analyse, theory, show or keep."""

    @cached_property
    def settings(self) -> type[Settings]:
        """The class of its settings."""
        kind: type[Settings] = inspect.get_annotations(self.run, eval_str=True)["settings"]
        assert issubclass(kind, Settings), f"the settings of {self.name} are not a subclass of Settings"
        return kind

    @cached_property
    def needs(self) -> frozenset[str]:
        """The parameters that a surface supplies."""
        names = frozenset(inspect.signature(self.run).parameters)
        assert names <= PARAMETERS, f"{self.name} asks for {', '.join(sorted(names - PARAMETERS))}"
        return names

    @property
    def summary(self) -> str:
        """The first sentence of the verb's documentation."""
        return inspect.cleandoc(self.run.__doc__ or "").partition("\n\n")[0]

    def __call__(self, supplied: Mapping[str, Any]) -> Finding:
        """Run the verb. Of the supplied parameters, its function receives those that it declares."""
        return self.run(**{name: supplied[name] for name in self.needs})


def verb(
    name: str,
    *,
    game: str | None = None,
    strategies: bool = False,
    optional_game: bool = False,
    find: Callable[[str], Game] | None = None,
    names: Callable[[], list[str]] | None = None,
    fixed_limits: Sequence[str] = (),
    keeps: bool = True,
    models: bool = False,
    people: bool = False,
    group: str = "",
) -> Callable[[Callable[..., Finding]], Verb]:
    """Return a decorator that declares a function as a verb; the arguments are those of `Verb`."""

    def declare(function: Callable[..., Finding]) -> Verb:
        return Verb(
            name, function, game, strategies, optional_game, find, names, fixed_limits, keeps, models, people, group
        )

    return declare
