"""Expected utility over three outcomes: u = (0, m, 1), so that m, the utility of 500, is all there is to a risk
attitude: 0.5 is neutral, more is averse to risk, less seeks it.

Features of a choice: the probabilities of 1000 and of 500 on the axis less those of the reference.

The risk task: how far the points of indifference in the Marschak–Machina triangle lie from straight parallel lines.

Err_EV is the published error, against the lines of expected value. It punishes consistent risk aversion too. Err_EU is
the error against the parallel lines that fit best, whatever their slope: 0 for every maximiser of expected utility.
Censored points, where the choice did not reverse along the axis, are counted and left out."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ostrom.games.battery.scores.logit import Advantage, Choices
from ostrom.games.battery.scores.score import Flags, Floats, Score, drawn_by, once_each, with_interval, withheld

LEAST, MOST = 0.001, 0.999


@dataclass(frozen=True, slots=True)
class ExpectedUtility:
    """EU = p(1000) + m·p(500)."""

    name: str = "expected utility"

    @property
    def bounds(self) -> Floats:
        """Of m."""
        return np.array([[LEAST, MOST]])

    @property
    def starts(self) -> Floats:
        """From seeking risk to averse."""
        return np.array([[0.2], [0.5], [0.8]])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """The expected utility on the axis less that of the reference."""
        best, middle = features
        m = parameters[:, :1]
        return Advantage(best + m * middle, (np.broadcast_to(middle, (len(m), len(middle))),))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """m·Δp(500) ≥ −Δp(1000)."""
        best, middle = features
        return middle[:, np.newaxis], -best

    def reported(self, parameters: Floats) -> Floats:
        """As it is."""
        return parameters


_GRID = np.linspace(LEAST, MOST, 999)
_FINER = np.linspace(-1, 1, 21)
_ZOOMS = 3


@dataclass(frozen=True, slots=True)
class RiskPoints:
    """Indifference points, a row each."""

    q: Floats
    """The place on the axis: the weight of 1000 on y, of 0 on x."""
    upward: Flags
    """Whether the axis is y, mixes of 1000 and 500; else x, mixes of 500 and 0."""
    reference: Floats
    """The probabilities of 0, 500 and 1000: (points, 3)."""

    @property
    def boundary(self) -> Flags:
        """Whether a reference has an outcome that cannot happen."""
        return np.asarray(np.any(self.reference < 1e-9, axis=1))

    def only(self, rows: Flags) -> "RiskPoints":
        """Some of the points."""
        return RiskPoints(self.q[rows], self.upward[rows], self.reference[rows])


@dataclass(frozen=True, slots=True)
class RiskErrors:
    """The errors of some points, in percent of an axis."""

    expected_value: Score
    expected_utility: Score
    m: float | None
    """The utility of 500 that expected utility fits best with."""
    value_draws: Floats
    utility_draws: Floats


def risk_points(sequences: pl.DataFrame) -> RiskPoints:
    """The points of the sequences asked for the score."""
    kept = sequences.filter((pl.col("purpose") == "score") & (pl.col("outcome") == "point"))
    if kept.is_empty():
        return RiskPoints(np.empty(0), np.empty(0, dtype=bool), np.empty((0, 3)))
    reference = np.array(kept["facts"].struct.field("reference").to_list(), dtype=np.float64)
    return RiskPoints(kept["value"].to_numpy(), (kept["axis"] == "y").to_numpy(), reference)


def risk_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with the lottery on the axis as the option chosen; nothing where none is
    valid."""
    valid = answers.filter((pl.col("purpose") == "score") & pl.col("choice").is_not_null())
    if valid.is_empty():
        return None
    facts = pl.col("facts").struct
    cells = (
        valid.with_columns(
            best=facts.field("other").list.get(2) - facts.field("reference").list.get(2),
            middle=facts.field("other").list.get(1) - facts.field("reference").list.get(1),
        )
        .group_by("condition", "step", "best", "middle", maintain_order=True)
        .agg(chosen=(pl.col("choice") == "other").sum(), answers=pl.len())
    )
    conditions, cluster = np.unique(cells["condition"].to_numpy(), return_inverse=True)
    features = np.stack([cells["best"].to_numpy(), cells["middle"].to_numpy()])
    chosen, count = (cells[name].to_numpy().astype(np.float64) for name in ("chosen", "answers"))
    return Choices(features, chosen, count, cluster.astype(np.int64), len(conditions))


def risk_errors(points: RiskPoints) -> RiskErrors:
    """Both errors, with bootstrap intervals over reference lotteries."""
    if len(points.q) < 2:
        none = withheld("fewer than two indifference points")
        return RiskErrors(none, none, None, np.empty(0), np.empty(0))
    rows = drawn_by([tuple(reference) for reference in points.reference.tolist()])
    gap = 100 * np.abs(points.q - _places(points, np.array([0.5]))[:, 0])
    value_draws = rows @ gap / np.sum(rows, axis=1)
    (error,), (m,) = _best(points, np.ones((1, len(points.q))))
    utility_draws = once_each(lambda different: _best(points, different)[0], rows)
    return RiskErrors(
        with_interval(float(np.mean(gap)), value_draws),
        with_interval(float(error), utility_draws),
        float(m),
        value_draws,
        utility_draws,
    )


def _best(points: RiskPoints, weights: Floats) -> tuple[Floats, Floats]:
    """Err_EU and its m for every row of weights: the least over the whole range on a grid, then finer around it."""
    total = np.sum(weights, axis=1)
    mean = weights @ np.abs(points.q[:, np.newaxis] - _places(points, _GRID)) / total[:, np.newaxis]
    best = _GRID[np.argmin(mean, axis=1)]
    error = np.min(mean, axis=1)
    reach = _GRID[1] - _GRID[0]
    for _ in range(_ZOOMS):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST, MOST)
        gap = np.abs(points.q[:, np.newaxis] - _places(points, near.ravel())).reshape(len(points.q), *near.shape)
        mean = np.einsum("bn,nbg->bg", weights, gap) / total[:, np.newaxis]
        best, error = near[np.arange(len(near)), np.argmin(mean, axis=1)], np.min(mean, axis=1)
        reach /= 10
    return 100 * error, best


def _places(points: RiskPoints, m: Floats) -> Floats:
    """Where expected utility is indifferent, for every point and every m: (points, values of m). With m = 0.5 that is
    expected value."""
    utility = points.reference[:, 2:] + m * points.reference[:, 1:2]
    place = np.where(points.upward[:, np.newaxis], (utility - m) / (1 - m), (m - utility) / m)
    return np.asarray(np.clip(place, 0, 1))
