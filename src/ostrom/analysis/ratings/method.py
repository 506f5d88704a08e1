"""The contract of a rating method, and the registry of all of them. The methods are in `ratings/methods`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from ostrom.analysis.ratings.results import GameResults
from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.core.events import Registry
from ostrom.core.settings import Settings, field


class RatingFit(Protocol):
    """Ratings that a method has fitted to results."""

    @property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each player's rating on the method's own scale; higher is stronger."""


MethodSettings = TypeVar("MethodSettings", bound=Settings)


@dataclass(frozen=True)
class RatingMethod(Generic[MethodSettings]):
    """A way to rate players by the results of their games."""

    name: str
    """The name in commands, the library and the API."""
    title: str
    """Begins with a capital and has no full stop: 'Multi-pass TrueSkill'."""
    description: str
    """One sentence without its subject and full stop, to follow the title and a colon."""
    settings: type[MethodSettings]
    """The method's own settings, with descriptions, bounds and defaults."""
    fit: Callable[[GameResults, MethodSettings], RatingFit]
    """Rate all players. There is at least one game in which two players meet."""


RATING_METHODS: Final[Registry[RatingMethod[Any]]] = Registry("rating method")
"""Every rating method by its name."""


class MethodChoice(NamedTuple):
    """A method with the settings chosen for it."""

    method: RatingMethod[Any]
    settings: Settings

    def fit(self, results: GameResults) -> RatingFit:
        """Rate all players."""
        return self.method.fit(results, self.settings)


def choose_method(spec: str, **board_settings: Any) -> MethodChoice:
    """Return the method that `spec` names, as in 'trueskill' or 'elo:k=16', with its settings. Settings of the whole
    board reach a method that has a field of that name, and are not part of a spec. Raises `UnknownName` for an unknown
    method and `InputError` for invalid settings."""
    name, _, rest = spec.partition(":")
    method = RATING_METHODS[name]
    own = dict(_parse_setting(spec, part) for part in rest.split(",") if part)
    if shared_name := next((key for key in own if key in board_settings), None):
        raise InputError(
            f"invalid rating method {spec!r}: {field(shared_name)} is a setting of the board, not the method"
        )
    shared = {key: value for key, value in board_settings.items() if key in method.settings.model_fields}
    return MethodChoice(method, method.settings.of({**shared, **own}))


def _parse_setting(spec: str, part: str) -> tuple[str, str]:
    name, equals, value = part.partition("=")
    if not equals:
        raise InputError(f"invalid rating method {spec!r}: write settings as NAME:setting=value,setting=value")
    return name.strip(), value.strip()


def describe_methods() -> str:
    """Return the names and titles of all methods, for help texts: 'trueskill (Multi-pass TrueSkill), …'."""
    return ", ".join(f"{name} ({method.title})" for name, method in RATING_METHODS.items())
