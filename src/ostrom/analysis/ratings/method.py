"""The results of games as arrays, the interface of methods that rate players by these results, and the registry of all
methods. The methods are in `ratings/methods`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.design import raked
from ostrom.core import InputError
from ostrom.core.estimates import Estimate, Floats, Whole
from ostrom.core.events import Registry
from ostrom.core.settings import Settings, field

EMPTY_SEAT = -1
"""The entry of `players` for a missing seat, if a game has fewer seats than the largest game."""


@dataclass(frozen=True, eq=False)
class GameResults:
    """Results of games. Rows are games, and columns are seats. Higher scores are better, and equal scores are ties.

    One player may have several seats in a game. Each rating method treats this case in its own way. If one player has
    all seats of a game, no rating counts the game.
    """

    names: tuple[str, ...]
    players: Whole
    """(games, seats) The index in `names` of the seat's player, or EMPTY_SEAT."""
    scores: Floats
    """(games, seats) The score of each seat. Ratings by rank use only the order of scores within a game. The scores of
    empty seats are ignored."""
    roles: Whole | None = None
    """(games, seats) The number of the seat's role; None if seats have no roles."""
    draws: Whole | None = None
    """(games,) Games with the same number have the same random draws. None if all draws differ."""
    clusters: Whole | None = None
    """(games,) Games with the same number depend on each other. If None, only games with the same draws depend on each
    other."""
    weighted: bool = False
    """True if earlier results decided which players met. Every pair of players then has the same weight."""
    covariates: Floats | None = None
    """(games, seats, covariates) What is known of each seat, for the methods that adjust for it."""
    covariate_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.players.ndim != 2 or self.players.shape != self.scores.shape:
            raise InputError(
                f"players {self.players.shape} and scores {self.scores.shape} must both be tables with a row for each "
                "game and a column for each seat"
            )
        if (self.roles is not None and self.roles.shape != self.players.shape) or (
            any(column is not None and column.shape != self.players.shape[:1] for column in (self.draws, self.clusters))
        ):
            raise InputError(
                "roles must be a table with a row for each game and a column for each seat; draws and clusters must "
                "be a number for each game"
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
    def units(self) -> Whole:
        """(games,) The number of each game's independent unit. The games of one cluster form a unit. Without clusters,
        games with the same draws form a unit. Otherwise each game is a unit."""
        column = self.draws if self.clusters is None else self.clusters
        return np.arange(self.games) if column is None else np.asarray(np.unique(column, return_inverse=True)[1])

    @cached_property
    def crossed(self) -> bool:
        """True if some draws occur in several clusters, so that units of two kinds cross."""
        if self.draws is None or self.clusters is None:
            return False
        pairs = np.unique(np.stack([self.draws, self.clusters]), axis=1)
        return bool(pairs.shape[1] > len(np.unique(self.draws)))

    def units_of(self) -> Whole:
        """Return the number of independent units in which each player held a seat, (names,)."""
        row, seat = np.nonzero(self.seated)
        pairs = np.unique(np.stack([self.players[row, seat], self.units[row]]), axis=1)
        return np.bincount(pairs[0], minlength=len(self.names))

    @cached_property
    def meetings(self) -> Whole:
        """(names, names) The number of games in which two players met; 0 on the diagonal."""
        row, seat = np.nonzero(self.seated)
        present = np.zeros((self.games, len(self.names)))
        present[row, self.players[row, seat]] = 1
        met = np.rint(present.T @ present).astype(np.int64)
        np.fill_diagonal(met, 0)
        return met

    @cached_property
    def seat_weights(self) -> Floats:
        """(games, seats) The weight of each seat in means. The weight is 1 unless pairs are weighted. If they are, the
        weights make a player meet every other player equally often (raking over the co-players)."""
        weight = np.ones(self.players.shape)
        if self.weighted:
            for player in range(len(self.names)):
                game, seat = np.nonzero(self.players == player)
                others = self.players[game]
                weight[game, seat] = raked([row[(row != player) & (row != EMPTY_SEAT)] for row in others])
        return weight

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
        """(games, seats) The number of seats in the game that belong to the seat's player, including this seat."""
        return np.asarray((self.players[:, :, None] == self.players[:, None, :]).sum(axis=2))

    @cached_property
    def comparing(self) -> Whole:
        """The numbers of the games in which at least two different players meet, in order."""
        return np.flatnonzero((self.seated & (self.copies < self.sizes[:, None])).any(axis=1))

    def games_of(self) -> Whole:
        """Return the number of games in which each player held a seat, (names,)."""
        share = np.where(self.seated, 1 / self.copies, 0.0)
        held = np.bincount(self.players[self.seated], weights=share[self.seated], minlength=len(self.names))
        return np.rint(held).astype(np.int64)

    def mean_scores(self) -> Floats:
        """Return the mean score of each player over its seats, (names,). Each role has equal weight. A player without a
        seat has NaN."""
        player, score, weight = (table[self.seated] for table in (self.players, self.scores, self.seat_weights))
        role = np.zeros_like(player) if self.roles is None else self.roles[self.seated]
        roles = int(role.max(initial=0)) + 1
        cell, cells = player * roles + role, len(self.names) * roles
        held = np.bincount(cell, weights=weight, minlength=cells).reshape(-1, roles)
        total = np.bincount(cell, weights=weight * score, minlength=cells).reshape(-1, roles)
        means = np.divide(total, held, out=np.zeros_like(total), where=held > 0).sum(axis=1)
        count = (held > 0).sum(axis=1)
        return np.asarray(np.divide(means, count, out=np.full(len(self.names), np.nan), where=count > 0))


MAX_RATED_PLAYERS: Final = 1_000
MAX_RATED_ROWS: Final = 500_000
"""The largest number of rows of a table of results, which has a row for each seat of each game."""


def results_of_table(table: pl.DataFrame, *, lower_is_better: bool = False, cluster: str | None = None) -> GameResults:
    """Return the results in a table with a row for each seat. The columns are `game`, `player` and `score`. Games with
    the same entry in the column named by `cluster` depend on each other. Other columns are ignored. Raises `InputError`
    for missing columns or values."""
    needed = ("game", "player", "score", *(() if cluster is None else (cluster,)))
    if missing := [name for name in needed if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; it must have {', '.join(needed)}")
    if table.height > MAX_RATED_ROWS:
        raise InputError(f"the table has {table.height:,} rows; ratings are computed for at most {MAX_RATED_ROWS:,}")
    if (players := table["player"].n_unique()) > MAX_RATED_PLAYERS:
        # The following kind of rating compares every pair of players.
        raise InputError(f"the table has {players:,} players; ratings are computed for at most {MAX_RATED_PLAYERS:,}")
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
    clusters = None
    if cluster is not None:
        of_game = dict(table.select(pl.col("game", cluster).cast(pl.String)).iter_rows())
        clusters = np.unique([str(of_game[game]) for game in games], return_inverse=True)[1].tolist()
    return results_of(list(games.values()), clusters=clusters)


def results_of(
    games: Sequence[Sequence[tuple[str, float]]],
    roles: Sequence[Sequence[int]] | None = None,
    draws: Sequence[int] | None = None,
    *,
    clusters: Sequence[int] | None = None,
    weighted: bool = False,
) -> GameResults:
    """Return the results of games. Each game is a list of (name, score), with an entry for each seat. Names are sorted,
    so that no computation depends on the order of appearance. `roles` has the number of each seat's role. `draws` has a
    number for each game, which is equal for games with the same random draws. `clusters` has a number for each game,
    which is equal for games that depend on each other."""
    names = tuple(sorted({name for game in games for name, _ in game}))
    place = {name: index for index, name in enumerate(names)}
    widest = max((len(game) for game in games), default=0)
    players = np.full((len(games), widest), EMPTY_SEAT, dtype=np.int64)
    scores = np.zeros((len(games), widest))
    for row, game in enumerate(games):
        players[row, : len(game)] = [place[name] for name, _ in game]
        scores[row, : len(game)] = [score for _, score in game]
    role = None
    if roles is not None:
        role = np.zeros_like(players)
        for row, own in enumerate(roles):
            role[row, : len(own)] = own
    drawn, cluster = (None if column is None else np.asarray(column, dtype=np.int64) for column in (draws, clusters))
    return GameResults(names, players, scores, role, drawn, cluster, weighted)


# Rating methods.


class RatingFit(Protocol):
    """Ratings that a method has fitted to results."""

    @property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each player's rating on the method's own scale. A higher rating is stronger."""


@dataclass(frozen=True, eq=False)
class ComparedRating:
    """Strengths on a linear scale with the covariance of their errors, so that all pairs can be compared."""

    names: tuple[str, ...]
    strengths: tuple[Estimate, ...]
    """One strength for each name. If no chain of games links two players, their difference depends on the prior."""
    theta: Floats
    """(names,) The strengths without their intervals."""
    covariance: Floats
    """(names, names) The covariance of the strengths' errors."""
    games: int
    """The number of independent games in which at least two players met."""
    held: Whole
    """(names,) The number of independent games in which each player held a seat."""
    group: Whole
    """(names,) The number of each player's group. Players have the same number if a chain of games links them. Group 0
    has the most players."""
    equality_errors: Floats | None = field_of(default=None, kw_only=True)
    """(names, names) The standard error of each difference in the test that this difference is 0. If None, the
    covariance determines these errors."""

    @property
    def estimates(self) -> dict[str, Estimate]:
        return dict(zip(self.names, self.strengths, strict=True))


Compared = TypeVar("Compared", bound=ComparedRating)


def rate_crossed(rate: Callable[[GameResults], Compared], results: GameResults) -> Compared:
    """Return the rating by a method that uses only one kind of unit, with errors for two kinds of units that cross. The
    covariances over clusters and over draws are added, and the covariance over their intersections is subtracted
    (Cameron, Gelbach and Miller 2011). Negative variances are removed."""
    if not results.crossed:
        return rate(results)
    assert results.draws is not None
    assert results.clusters is not None
    _, inside = np.unique(np.stack([results.draws, results.clusters]), axis=1, return_inverse=True)
    one, other, both = (
        rate(replace(results, clusters=column)) for column in (results.clusters, results.draws, np.ravel(inside))
    )
    scale, basis = np.linalg.eigh(one.covariance + other.covariance - both.covariance)
    covariance = (basis * np.maximum(scale, 0)) @ basis.T
    least = np.maximum(np.diag(one.covariance), np.diag(other.covariance))
    covariance += np.diag(np.maximum(least - np.diag(covariance), 0))
    fewer = one if one.games <= other.games else other
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.sqrt(np.diag(covariance) / np.diag(fewer.covariance))
    strengths = tuple(
        estimate
        if estimate.value is None or estimate.low is None or estimate.high is None
        else replace(
            estimate,
            low=estimate.value + by * (estimate.low - estimate.value),
            high=estimate.value + by * (estimate.high - estimate.value),
        )
        for estimate, by in zip(fewer.strengths, np.nan_to_num(factor, nan=1.0, posinf=1.0).tolist(), strict=True)
    )
    variance = np.diag(covariance)
    errors = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    for rating in (one, other):
        if rating.equality_errors is not None:
            errors = np.maximum(errors, rating.equality_errors)
    held = np.minimum(one.held, other.held)
    return replace(fewer, strengths=strengths, covariance=covariance, held=held, equality_errors=errors)


MethodSettings = TypeVar("MethodSettings", bound=Settings)


@dataclass(frozen=True)
class RatingMethod(Generic[MethodSettings]):
    """A method that rates players by the results of their games."""

    name: str
    """The name of the method in commands, the library and the API."""
    title: str
    """The title of the method. It begins with a capital and has no full stop: 'Multi-pass TrueSkill'."""
    description: str
    """The description of the method: one sentence without subject and full stop. It can follow the title and a
    colon."""
    settings: type[MethodSettings]
    fit: Callable[[GameResults, MethodSettings], RatingFit]
    """A function that rates all players. It is called only if two players met in at least one game."""
    meaning: str = ""
    """A sentence on what a rating means, with a capital and a full stop. It is shown below a leaderboard."""
    adjusts: bool = False
    """True if the method adjusts for covariates of seats."""
    shares: bool = False
    """True if ratings are shares of 1."""


RATING_METHODS: Final[Registry[RatingMethod[Any]]] = Registry("rating method", listed=False)


class MethodChoice(NamedTuple):
    """A method with the settings that were chosen for it."""

    method: RatingMethod[Any]
    settings: Settings

    def fit(self, results: GameResults) -> RatingFit:
        """Rate all players. Raises `InputError` if there are covariates and the method does not adjust for them."""
        if results.covariate_names and not self.method.adjusts:
            able = " or ".join(name for name, method in RATING_METHODS.items() if method.adjusts)
            raise InputError(f"{self.method.name} does not adjust for covariates; choose {able}")
        return self.method.fit(results, self.settings)


def choose_method(spec: str, **board_settings: Any) -> MethodChoice:
    """Return the method that `spec` names, as in 'trueskill' or 'elo:k=16', with its settings. A setting of the whole
    board is passed to methods that have a field of that name. Such a setting is not part of a spec. Raises
    `UnknownName` for an unknown method and `InputError` for invalid settings."""
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
