"""The results of games as arrays, the contract of a method that rates players by them, and the registry of all methods.
The methods are in `ratings/methods`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core import InputError
from ostrom.core.estimates import Estimate, Floats, Whole
from ostrom.core.events import Registry
from ostrom.core.settings import Settings, field

EMPTY_SEAT = -1
"""The entry of `players` where a game has fewer seats than the largest."""


@dataclass(frozen=True, eq=False)
class GameResults:
    """Games by row, seats by column. Higher scores are better, equal scores are ties.

    One player may hold several seats of a game; each rating method treats that in its own way. A game in which one
    player holds all seats counts for no rating."""

    names: tuple[str, ...]
    players: Whole
    """(games, seats) The index in `names` of the seat's player, or EMPTY_SEAT."""
    scores: Floats
    """(games, seats) Only their order within a game counts. The scores of empty seats are ignored."""

    def __post_init__(self) -> None:
        if self.players.ndim != 2 or self.players.shape != self.scores.shape:
            raise InputError(
                f"players {self.players.shape} and scores {self.scores.shape} must both be tables of games by seats"
            )
        if len(set(self.names)) != len(self.names):
            raise InputError("two players have the same name; names must be distinct")
        if not np.issubdtype(self.players.dtype, np.integer):
            raise InputError(f"players have the type {self.players.dtype}; they must be indices of names")
        unknown = (self.players < EMPTY_SEAT) | (self.players >= len(self.names))
        self._refuse(unknown, "has a seat held by an unknown player")
        self._refuse((self.sizes < 2)[:, None], "has fewer than 2 seats; a rating compares at least 2")
        self._refuse(self.seated & ~np.isfinite(self.scores), "has a score that is not a finite number")

    def _refuse(self, wrong: npt.NDArray[np.bool_], what: str) -> None:
        games = np.flatnonzero(wrong.any(axis=1))
        if len(games):
            raise InputError(f"game {games[0]} {what}")

    @property
    def games(self) -> int:
        return len(self.players)

    @cached_property
    def seated(self) -> npt.NDArray[np.bool_]:
        """(games, seats) True where the seat has a player."""
        return np.asarray(self.players != EMPTY_SEAT)

    @cached_property
    def sizes(self) -> Whole:
        """(games,) The number of players at each table."""
        return np.asarray(self.seated.sum(axis=1))

    @cached_property
    def copies(self) -> Whole:
        """(games, seats) The number of seats in the game that the seat's player holds, this one included."""
        return np.asarray((self.players[:, :, None] == self.players[:, None, :]).sum(axis=2))

    @cached_property
    def comparing(self) -> Whole:
        """The games in which at least two players meet, in their order."""
        return np.flatnonzero((self.seated & (self.copies < self.sizes[:, None])).any(axis=1))

    def games_of(self) -> Whole:
        """Return the number of games in which each player held a seat, (names,)."""
        share = np.where(self.seated, 1 / self.copies, 0.0)
        held = np.bincount(self.players[self.seated], weights=share[self.seated], minlength=len(self.names))
        return np.rint(held).astype(np.int64)

    def mean_scores(self) -> Floats:
        """Return the mean score over all seats of each player, (names,); not a number for a player without a seat."""
        held = np.bincount(self.players[self.seated], minlength=len(self.names))
        total = np.bincount(self.players[self.seated], weights=self.scores[self.seated], minlength=len(self.names))
        return np.asarray(np.divide(total, held, out=np.full(len(self.names), np.nan), where=held > 0))


def results_of_table(table: pl.DataFrame, *, lower_is_better: bool = False) -> GameResults:
    """Return the results in a table with a row for each seat: `game`, `player` and `score`. Other columns are ignored.
    Raises `InputError` for missing columns or values."""
    if missing := [name for name in ("game", "player", "score") if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; it must have game, player and score")
    seats = table.select(pl.col("game", "player").cast(pl.String), pl.col("score").cast(pl.Float64, strict=False))
    for name in seats.columns:
        if (empty := seats[name].is_null()).any():
            what = "number as its score" if name == "score" else name
            raise InputError(f"row {empty.arg_true()[0] + 1} has no {what}")
    games: dict[str, list[tuple[str, float]]] = {}
    for game, player, score in seats.iter_rows():
        games.setdefault(game, []).append((player, -score if lower_is_better else score))
    for game, rows in games.items():
        if len(rows) < 2:
            raise InputError(f"game {game!r} has one row; a rating compares at least 2 seats")
    return results_of(list(games.values()))


def results_of(games: Sequence[Sequence[tuple[str, float]]]) -> GameResults:
    """Return the results of games given as lists of (name, score), seat after seat. Names are sorted, so that no
    computation depends on the order of appearance."""
    names = tuple(sorted({name for game in games for name, _ in game}))
    place = {name: index for index, name in enumerate(names)}
    widest = max((len(game) for game in games), default=0)
    players = np.full((len(games), widest), EMPTY_SEAT, dtype=np.int64)
    scores = np.zeros((len(games), widest))
    for row, game in enumerate(games):
        players[row, : len(game)] = [place[name] for name, _ in game]
        scores[row, : len(game)] = [score for _, score in game]
    return GameResults(names, players, scores)


# Rating methods.


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
    fit: Callable[[GameResults, MethodSettings], RatingFit]
    """Rate all players. There is at least one game in which two players meet."""


RATING_METHODS: Final[Registry[RatingMethod[Any]]] = Registry("rating method", listed=False)


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
