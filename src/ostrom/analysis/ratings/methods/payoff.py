"""The rating by payoff. It is the mean payoff of a player relative to the other players in the same role with the same
draws. The mean over roles has equal weights. The unit is that of payoffs.

Within a role, the payoff of a seat is the sum of a constant, the effect of the seat's draws and the player's effect.
Games with the same seed and number have the same draws. In such mirrored games, the players of a game exchange their
seats, so each seat compares players with equal private values. The effects of draws are random, and the players'
effects are fitted by generalised least squares. If draws matter, mainly the differences between players with the same
draws count. If no games are mirrored, the result is the difference of means. Since schedules seat players independently
of the draws, the fit is unbiased for any values of the two variances.

Games with the same draws form one unit, and so do games of one cluster. Uncertainty is computed by leaving out each
unit in turn, as for the order-free rating. The differences of all pairs are then tested together (`ranking`). If the
schedule repeats every table of players, as a full round robin does, the tables are strata. Differences in payoff
between opponents then do not count as error, because the opponents are not drawn at random. If earlier results decided
which players met, games are weighted so that a player meets each other player equally often.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ostrom.analysis.ratings.method import RATING_METHODS, ComparedRating, GameResults, RatingMethod, rate_crossed
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES, comparisons, linked_groups
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats, Whole
from ostrom.core.settings import Settings

_RIDGE: Final = 1e-9
"""The prior precision of an effect, relative to the information of a player. It affects only effects that the data do
not determine."""
_MAX_CELLS: Final = 2**22
"""The largest number of matrix entries that are computed together in a step over units."""


class SeatPayoffs(NamedTuple):
    """The payoffs of all seats, as flat arrays."""

    player: Whole
    role: Whole
    cell: Whole
    """The number of each seat's cell. Seats with the same position in games with the same draws form a cell."""
    unit: Whole
    """The number of each seat's unit. Games with the same draws form a unit."""
    score: Floats
    weight: Floats


@dataclass(frozen=True, eq=False)
class PayoffRating(ComparedRating):
    """Mean payoffs relative to the other players, centred at 0."""

    units: int
    """The number of games with different draws."""
    by_role: Floats
    """(roles, names) The effects by role. The effect is NaN for a player without a seat in the role."""
    by_draws: bool = False
    """True if differences between seats with the same draws have more weight than other differences."""

    @property
    def scale(self) -> str:
        """A description of the rating that says what is subtracted."""
        within = " in the role" if len(self.by_role) > 1 else ""
        if self.by_draws:
            text = (
                f"a fitted effect on the payoff{within} minus the mean effect of all players{within}. In the fit, "
                "comparisons of seats with the same draws have more weight, so a rating need not be a difference of "
                "mean payoffs"
            )
        else:
            text = f"the mean payoff{within} minus the mean of this figure over all players{within}, each counted once"
        return f"{text}; it is averaged over roles and centred at 0" if within else text


def payoffs_of(results: GameResults) -> SeatPayoffs:
    """Return the payoffs of the games in which at least two players met."""
    games = results.comparing
    seated = results.seated[games]
    row, seat = np.nonzero(seated)
    roles = np.zeros_like(results.players) if results.roles is None else results.roles
    draws = np.arange(results.games) if results.draws is None else results.draws
    unit, drawn = (np.unique(column[games], return_inverse=True)[1] for column in (results.units, draws))
    place = drawn[row] * results.players.shape[1] + seat
    _, cell = np.unique(place, return_inverse=True)
    own = games[row]
    columns = (table[own, seat] for table in (results.scores, results.seat_weights))
    return SeatPayoffs(results.players[own, seat], roles[own, seat], cell, unit[row], *columns)


def rate_by_payoff(results: GameResults) -> PayoffRating:
    """Return the ratings of all players. Raises `InputError` if no two players met."""
    return rate_crossed(_rate_by_payoff, results)


def _rate_by_payoff(results: GameResults) -> PayoffRating:
    from scipy.special import stdtrit

    if not len(results.comparing):
        raise InputError("no two players met in any game, so there is nothing to rate")
    payoffs = payoffs_of(results)
    names, units = len(results.names), int(payoffs.unit.max()) + 1
    effects, moved, by_draws = [], [], False
    for role in np.unique(payoffs.role):
        own = SeatPayoffs(*(column[payoffs.role == role] for column in payoffs))
        theta, changes, shrunk = _fit_role(own, names, units)
        by_draws = by_draws or shrunk
        effects.append(theta)
        moved.append(changes)
    by_role = np.asarray(effects)
    count = np.maximum(np.isfinite(by_role).sum(axis=0), 1)
    theta = np.nansum(by_role, axis=0) / count
    shifts = np.nansum(np.asarray(moved), axis=0) / count
    theta, shifts = theta - theta.mean(), shifts - shifts.mean(axis=1, keepdims=True)
    stratum = np.zeros(units, dtype=np.int64) if results.clusters is not None else _strata(payoffs)
    size = np.bincount(stratum)
    if len(size) > 1:
        means = _cell_means(shifts, stratum)
        shifts = (shifts - means) * np.sqrt(size / (size - 1))[stratum, None]
    covariance = shifts.T @ shifts
    held = results.units_of() if results.clusters is not None else _units_of(payoffs.player, payoffs.unit, names)
    tables = _units_of(payoffs.player, stratum[payoffs.unit], names)
    reach = stdtrit(np.maximum(held - tables, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance))
    strengths = tuple(
        Estimate(float(value), float(value - half), float(value + half))
        if played >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games with different draws: no interval")
        for value, half, played in zip(theta, reach, held, strict=True)
    )
    group = linked_groups(comparisons(results))
    freedom = units - len(size) + 1
    return PayoffRating(results.names, strengths, theta, covariance, freedom, held, group, units, by_role, by_draws)


def _units_of(player: Whole, unit: Whole, names: int) -> Whole:
    """Return the number of units in which each player has a seat, (names,)."""
    return np.bincount(np.unique(np.stack([player, unit]), axis=1)[0], minlength=names)


def _strata(payoffs: SeatPayoffs) -> Whole:
    """Return the number of each unit's stratum, (units,): units with the same players at the table form a stratum if
    every table has several units. Otherwise all units are one stratum."""
    order = np.lexsort((payoffs.player, payoffs.unit))
    seats = np.split(payoffs.player[order], np.cumsum(np.bincount(payoffs.unit))[:-1])
    numbers: dict[bytes, int] = {}
    stratum = np.asarray([numbers.setdefault(players.tobytes(), len(numbers)) for players in seats])
    return stratum if np.bincount(stratum).min() > 1 else np.zeros_like(stratum)


def _fit_role(payoffs: SeatPayoffs, names: int, units: int) -> tuple[Floats, Floats, bool]:
    """Return the effects of the players in one role, (names,), how much each unit changes them, (units, names), and
    whether seats with the same draws are compared with more weight. Effects and changes are NaN for a player without a
    seat in the role."""
    players, player = np.unique(payoffs.player, return_inverse=True)
    _, cell = np.unique(payoffs.cell, return_inverse=True)
    design = np.zeros((len(player), len(players) + 1))
    design[np.arange(len(player)), player] = 1
    design[:, -1] = 1
    shrink = _shrinkage(payoffs.score, player, cell)
    adjusted = design - shrink[:, None] * _cell_means(design, cell)
    score = payoffs.score - shrink * _cell_means(payoffs.score[:, None], cell)[:, 0]
    present, unit = np.unique(payoffs.unit, return_inverse=True)
    root = np.sqrt(payoffs.weight)
    at, changes = _least_squares(adjusted * root[:, None], score * root, unit, len(present))
    # Effects are relative to the mean of the players in this role.
    effects, moved = np.full(names, np.nan), np.full((units, names), np.nan)
    effects[players] = at[:-1] - at[:-1].mean()
    moved[:, players] = 0.0
    moved[np.ix_(present, players)] = changes[:, :-1] - changes[:, :-1].mean(axis=1, keepdims=True)
    return effects, moved, bool(shrink.any())


def _cell_means(values: Floats, cell: Whole) -> Floats:
    """Return, for each row, the mean of the rows in its cell."""
    sums = np.zeros((int(cell.max()) + 1, values.shape[1]))
    np.add.at(sums, cell, values)
    return np.asarray((sums / np.bincount(cell)[:, None])[cell])


def _shrinkage(score: Floats, player: Whole, cell: Whole) -> Floats:
    """Return, for each row, the share of its cell's mean that is subtracted from the row: 1 − √(σ² / (σ² + n τ²)). τ²
    is the variance between the draws of a role, and σ² is the variance within the same draws."""
    means = np.bincount(player, weights=score) / np.bincount(player)
    residual = score - means[player]
    size = np.bincount(cell)
    freedom = int((size - 1).sum())
    if freedom == 0:
        return np.zeros(len(score))
    within = float(np.sum((residual - _cell_means(residual[:, None], cell)[:, 0]) ** 2)) / freedom
    between = max(float(residual.var()) - within, 0.0)
    if between == 0:
        return np.zeros(len(score))
    return np.asarray(1 - np.sqrt(within / (within + size * between)))[cell]


def _least_squares(design: Floats, score: Floats, unit: Whole, units: int) -> tuple[Floats, Floats]:
    """Return the coefficients, and how much each unit changes them, (units, columns). The change is the fit of all rows
    minus the fit without the unit."""
    columns = design.shape[1]
    whole = design.T @ design
    whole += np.eye(columns) * max(_RIDGE * np.trace(whole) / columns, np.finfo(float).tiny)
    at: Floats = np.linalg.solve(whole, design.T @ score).astype(np.float64)
    residual = score - design @ at
    order = np.argsort(unit, kind="stable")
    bounds = np.searchsorted(unit[order], np.arange(units + 1))
    chunk = max(1, _MAX_CELLS // columns**2)
    changes = np.zeros((units, columns))
    for start in range(0, units, chunk):
        stop = min(start + chunk, units)
        rows = order[bounds[start] : bounds[stop]]
        own = unit[rows] - start
        information = np.zeros((stop - start, columns, columns))
        np.add.at(information, own, design[rows, :, None] * design[rows, None, :])
        slope = np.zeros((stop - start, columns))
        np.add.at(slope, own, design[rows] * residual[rows, None])
        changes[start:stop] = np.linalg.solve(whole - information, slope[:, :, None])[:, :, 0]
    return at, changes


class PayoffRatingSettings(Settings):
    """The rating by payoff has no settings."""


def fit_payoff(results: GameResults, settings: PayoffRatingSettings) -> PayoffRating:
    """Return the ratings of all players."""
    return rate_by_payoff(results)


PAYOFF: Final = RatingMethod(
    name="payoff",
    title="Payoff relative to the others",
    description="the mean payoff in a role minus the mean over all players, averaged over roles; if draws matter, "
    "seats with the same draws are compared with more weight; the default where players want a high payoff",
    settings=PayoffRatingSettings,
    fit=fit_payoff,
)
RATING_METHODS.add(PAYOFF.name, PAYOFF)
