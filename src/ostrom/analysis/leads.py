"""The player that leads by a measure, the players that may be first, and the pairs of players that differ
significantly."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from ostrom.analysis.differences import POWER
from ostrom.analysis.intervals import ALIKE, Ratio, weights
from ostrom.analysis.studentised import POOLED, Part, Whole
from ostrom.core.estimates import CONFIDENCE, Floats

_QUANTILE: Final = (1 + CONFIDENCE) / 2
MAX_CONTROLS: Final = 40
"""The largest number of players that are each compared with all others. They are the players with the best figures."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Lead:
    """The player with the highest (or the lowest) figure among the players that can be compared."""

    player: str
    rivals: tuple[str, ...]
    """The other players that may be first (Hsu 1981). The list is empty if only the leader may be first."""
    compared: int
    """The number of compared players, including the leader."""
    players: int
    """The number of all players, including players with too few games to be compared."""
    pairs: int = 0
    """The number of pairs of compared players; 0 if there are too many players to compare all pairs."""
    pairs_apart: int = 0
    """The number of these pairs that differ significantly when all pairs are tested together."""
    detectable: float | None = None
    """The difference from the leader that the same number of games would show with a power of 80 %."""


def lead_of(figure: Ratio, *, highest: bool = True) -> Lead | None:
    """Return the player that leads by a figure. Return None if fewer than two players can be compared."""
    resampled = figure.resampled()
    usable = np.flatnonzero([reason in (None, ALIKE) for reason in resampled.reasons])
    if len(usable) < 2:
        return None
    values = resampled.value[usable] if highest else -resampled.value[usable]
    usable = usable[np.argsort(-values, kind="stable")]
    top, bottom = figure.within_tables(figure.sums()[1])
    order = comparisons_of((top[:, usable] if highest else -top[:, usable], bottom[:, usable]), figure.stretch)
    names = [resampled.keys["player"][int(place)] for place in usable]
    rivals = tuple(name for name, possible in zip(names[1:], order.possible[1:], strict=True) if possible)
    return Lead(names[0], rivals, len(usable), len(resampled.reasons), order.pairs, order.pairs_apart, order.detectable)


@dataclass(frozen=True, slots=True)
class PlayerComparisons:
    """Players compared with each other, in descending order of their figures."""

    possible: npt.NDArray[np.bool_]
    """True for the players that may be first."""
    pairs: int
    pairs_apart: int
    detectable: float | None


def comparisons_of(part: Part, stretch: float = 1.0) -> PlayerComparisons:
    """Return the comparisons of players in descending order of their figures. A player cannot be the first if the lead
    of another player over it, in standard errors, exceeds a critical value. The critical value is the 97.5 % quantile,
    over resamples, of the greatest lead of any other player over this one. So this player is the control of all these
    comparisons (Dunnett 1955; Hsu 1981). The best player is wrongly left out in at most 2.5 % of cases. If all players
    are equal, a single one is declared first in at most 5 % of cases. Two players differ significantly if their
    difference exceeds a critical value of the greatest difference of all pairs (Tukey). Luck that the players of a game
    share cancels out of each difference. All critical values are multiplied by `stretch`, so that the comparisons hold
    whenever the experiment ended, as intervals do."""
    top, bottom = part
    whole = bottom.sum(axis=0)
    value = top.sum(axis=0) / whole
    linear = (top - value * bottom) / whole
    present, players = bottom > 0, len(value)
    sizes, errors = _standardised(value, linear, present)
    draw_weights = weights(len(top))
    shift = draw_weights @ linear
    controls = range(min(players, MAX_CONTROLS))
    greatest = np.zeros(len(shift))
    possible = np.ones(players, dtype=bool)
    critical = 0.0
    for control in controls:
        draws = _draws(linear, shift, control, draw_weights)
        greatest = np.maximum(greatest, np.abs(draws).max(axis=1))
        if control == 0:
            critical = stretch * float(np.quantile((-draws).max(axis=1), _QUANTILE, method="higher"))
            # Players that are not among the controls are compared only with the first player.
            possible[len(controls) :] = sizes[0, len(controls) :] <= critical
            leads = bool((sizes[0, 1:] > critical).all())
        bound = stretch * np.quantile(draws.max(axis=1), _QUANTILE, method="higher")
        possible[control] = not bool((sizes[:, control] > bound).any())
    possible[1:] &= not leads
    possible[0] = True
    pairs = players * (players - 1) // 2 if players <= MAX_CONTROLS else 0
    bound = stretch * np.quantile(greatest, CONFIDENCE, method="higher")
    apart = int(np.sum(np.triu(np.abs(sizes) > bound, 1))) if pairs else 0
    rivals = np.flatnonzero(possible)[1:]
    detectable = (
        (critical + NormalDist().inv_cdf(POWER)) * float(np.median(errors[0, rivals])) if len(rivals) else np.inf
    )
    return PlayerComparisons(possible, pairs, apart, detectable if np.isfinite(detectable) else None)


def _draws(linear: Floats, shift: Floats, control: int, draw_weights: Floats) -> Floats:
    """Return the studentised difference between every player and a control in each resample, (resamples, players)."""
    games = len(linear)
    difference = shift - shift[:, [control]]
    squares = draw_weights @ (linear - linear[:, [control]]) ** 2
    variance = np.maximum(squares - difference**2 / games, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(difference / np.sqrt(variance), nan=0.0))


def _standardised(value: Floats, linear: Floats, present: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the difference between every two players in units of its error, and the error. The error is estimated from
    the two players' games, or from these games and six games of all players, whichever estimate is greater. If the
    games do not vary, players with different figures count as different only if they have enough games for a sign test
    of all pairs."""
    own = present.sum(axis=0)
    seen = present.astype(np.float64)
    squares, products = linear**2, linear.T @ linear
    total = squares.sum(axis=0)
    together = squares.T @ seen  # Sums for the row's player, over games with the column's player.
    both = np.maximum(together + together.T - 2 * products, 0)
    alone = np.maximum(total[:, None] - together, 0)
    meetings = seen.T @ seen
    games = own[:, None] + own - meetings
    variance = (both + alone + alone.T) * games / np.maximum(games - 1, 1)
    off = linear * own
    sums, seated = off.sum(axis=1), present.sum(axis=1)
    spread = float((off**2).sum() / seated.sum())
    common = float(np.sum(sums**2 - (off**2).sum(axis=1)) / max(np.sum(seated * (seated - 1)), 1))
    by_player = spread / own**2
    pool = by_player[:, None] + by_player - 2 * common / np.outer(own, own)
    lone = own[:, None] - meetings
    borrowed = _joined(both, pool, meetings) + _joined(alone, by_player[:, None], lone)
    borrowed += _joined(alone.T, by_player[None, :], lone.T)
    error = np.sqrt(np.maximum(variance, borrowed))
    difference = value[:, None] - value
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.where(np.abs(difference) <= _ROUNDING * np.abs(value).max(), 0.0, difference / error)
    pairs = len(value) * (len(value) - 1) // 2
    few = 2.0 ** (1 - np.minimum(own[:, None], own)) * pairs > 1 - CONFIDENCE
    return np.where((error <= _ROUNDING * np.abs(difference)) & few, 0.0, sizes), error


def _joined(squares: Floats, borrowed: Floats, units: Whole | Floats) -> Floats:
    """Return the variance over the units and six added units. The added units have the variance `borrowed`."""
    return np.asarray((squares + POOLED * borrowed) * units / (units + POOLED))
