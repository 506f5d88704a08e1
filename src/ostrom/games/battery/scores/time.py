"""The time task as arrays: every binary choice, and every indifference point.

Three theories of discounting: exponential, quasi-hyperbolic and hyperbolic. Each gives the advantage of the sooner
amount over the later one, as present values in parts of the later amount.

Inside, δ is searched as its rate ρ = −ln δ a year, β as its logarithm, k as it is. Features of a choice: the sooner
amount in parts of the later one, the years to either, and the number of the amount at stake."""

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from ostrom.games.battery.scores.logit import Advantage, Choices
from ostrom.games.battery.scores.score import Flags, Floats
from ostrom.games.battery.theories import YEAR, exponential, hyperbolic


@dataclass(frozen=True, slots=True)
class TimePoints:
    """Indifference points, a row each."""

    ratio: Floats
    """Sooner amount in parts of the later one. Of a subject that waits even for no gain it is 1, the bound."""
    years: Floats
    """Between the two payments."""
    front: Floats
    """Years to the sooner one."""
    amount: Floats
    """The later amount."""

    def only(self, rows: Flags) -> "TimePoints":
        """Some of the points."""
        return TimePoints(self.ratio[rows], self.years[rows], self.front[rows], self.amount[rows])


def time_points(sequences: pl.DataFrame) -> TimePoints:
    """The points of the sequences asked for the score; censored ones at their bound, invalid ones not at all."""
    kept = _for_score(sequences).filter(pl.col("outcome") != "invalid")
    if kept.is_empty():
        none = np.empty(0)
        return TimePoints(none, none, none, none)
    facts = pl.col("facts").struct
    columns = kept.select(
        ratio=pl.col("value"),
        years=facts.field("days") / YEAR,
        # Months are as long as the task's own, which its facts give for the delay.
        front=pl.when(facts.field("front_months") == 0)
        .then(0.0)
        .otherwise(facts.field("front_months") * facts.field("days") / facts.field("delay_months") / YEAR),
        amount=facts.field("later"),
    ).cast(pl.Float64)
    return TimePoints(**{name: columns[name].to_numpy() for name in columns.columns})


def time_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with 'sooner' as the option chosen; nothing where none is valid."""
    valid = _for_score(answers).filter(pl.col("choice").is_not_null())
    if valid.is_empty():
        return None
    facts = pl.col("facts").struct
    cells = (
        valid.with_columns(
            ratio=facts.field("sooner") / facts.field("later"),
            soon=facts.field("sooner_days") / YEAR,
            late=facts.field("later_days") / YEAR,
            stake=facts.field("later").cast(pl.Float64),
        )
        .group_by("condition", "ratio", "soon", "late", "stake", maintain_order=True)
        .agg(chosen=(pl.col("choice") == "sooner").sum(), answers=pl.len())
    )
    conditions, cluster = np.unique(cells["condition"].to_numpy(), return_inverse=True)
    _, stake = np.unique(cells["stake"].to_numpy(), return_inverse=True)
    features = np.stack([*(cells[name].to_numpy() for name in ("ratio", "soon", "late")), stake.astype(np.float64)])
    chosen, count = (cells[name].to_numpy().astype(np.float64) for name in ("chosen", "answers"))
    return Choices(features, chosen, count, cluster.astype(np.int64), len(conditions))


def _for_score(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("purpose") == "score")


MOST_RATE = -math.log(0.01)
"""δ is sought between 0.01 and 1, as by the published estimator."""
_LEAST_BETA, _MOST_BETA = 0.01, 2.0
_RATES = np.array([0.02, 0.1, 0.3, 0.8, 2.0])


def _powers(rate: Floats, years: Floats) -> Floats:
    """Exponential discounts at (samples, 1) rates; there are few different years, so each is computed once."""
    different, where = np.unique(years, return_inverse=True)
    return np.asarray(exponential(different, rate)[:, where])


def _minus_log(ratio: Floats) -> Floats:
    return np.asarray(-np.log(np.where(ratio > 0, ratio, 1.0)))


def _never_at_nothing(slopes: Floats, least: Floats, ratio: Floats) -> tuple[Floats, Floats]:
    """Inequalities that no parameter fulfils where the sooner amount is nothing at all."""
    nothing = ratio <= 0
    return np.where(nothing[:, np.newaxis], 0.0, slopes), np.where(nothing, 1.0, least)


@dataclass(frozen=True, slots=True)
class Exponential:
    """D(t) = δ^t."""

    name: str = "exponential"

    @property
    def bounds(self) -> Floats:
        """Of ρ."""
        return np.array([[0.0, MOST_RATE]])

    @property
    def starts(self) -> Floats:
        """From patient to impatient."""
        return _RATES[:, np.newaxis]

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·δ^soon − δ^late."""
        ratio, soon, late, _ = features
        rate = parameters[:, :1]
        near, far = ratio * _powers(rate, soon), _powers(rate, late)
        return Advantage(near - far, (far * late - near * soon,))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s."""
        ratio, soon, late, _ = features
        return _never_at_nothing((late - soon)[:, np.newaxis], _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """δ."""
        return np.exp(-parameters)


@dataclass(frozen=True, slots=True)
class ExponentialByAmount:
    """D(t) = δ^t with a δ for each of the amounts at stake."""

    amounts: int = 3
    name: str = "exponential by amount"

    @property
    def bounds(self) -> Floats:
        """Of each ρ."""
        return np.tile([0.0, MOST_RATE], (self.amounts, 1))

    @property
    def starts(self) -> Floats:
        """The same for all amounts."""
        return np.repeat(_RATES[:, np.newaxis], self.amounts, axis=1)

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·δ^soon − δ^late with the amount's own δ."""
        ratio, soon, late, amount = features
        rate = parameters[:, amount.astype(np.int64)]
        near, far = ratio * exponential(soon, rate), exponential(late, rate)
        slope = far * late - near * soon
        return Advantage(near - far, tuple(np.where(amount == i, slope, 0.0) for i in range(self.amounts)))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s for the amount's own ρ."""
        ratio, soon, late, amount = features
        own = amount[:, np.newaxis] == np.arange(self.amounts)
        return _never_at_nothing(own * (late - soon)[:, np.newaxis], _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """δ of each amount."""
        return np.exp(-parameters)


@dataclass(frozen=True, slots=True)
class QuasiHyperbolic:
    """D(t) = β·δ^t for t > 0, D(0) = 1 (Laibson 1997)."""

    name: str = "quasi-hyperbolic"

    @property
    def bounds(self) -> Floats:
        """Of ln β and ρ. β above 1 is a bias towards the future."""
        return np.array([[math.log(_LEAST_BETA), math.log(_MOST_BETA)], [0.0, MOST_RATE]])

    @property
    def starts(self) -> Floats:
        """With and without present bias."""
        return np.array([(math.log(beta), rate) for beta in (0.6, 1.0) for rate in _RATES])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·D(soon) − D(late)."""
        ratio, soon, late, _ = features
        beta, rate = np.exp(parameters[:, :1]), parameters[:, 1:]
        delayed = beta * ratio * _powers(rate, soon)
        near, far = np.where(soon > 0, delayed, ratio), beta * _powers(rate, late)
        return Advantage(near - far, (np.where(soon > 0, delayed, 0.0) - far, far * late - near * soon))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s, and with −ln β on the left where the sooner amount is paid at once."""
        ratio, soon, late, _ = features
        slopes = np.column_stack([np.where(soon > 0, 0.0, -1.0), late - soon])
        return _never_at_nothing(slopes, _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """β and δ."""
        return np.asarray(np.exp(parameters * np.array([1.0, -1.0])))


@dataclass(frozen=True, slots=True)
class Hyperbolic:
    """D(t) = 1 / (1 + k·t) (Mazur 1987)."""

    name: str = "hyperbolic"

    @property
    def bounds(self) -> Floats:
        """Of k; the upper one halves a value within four days."""
        return np.array([[0.0, 100.0]])

    @property
    def starts(self) -> Floats:
        """From patient to impatient."""
        return np.array([[0.02], [0.1], [0.5], [2.0], [8.0]])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·D(soon) − D(late)."""
        ratio, soon, late, _ = features
        k = parameters[:, :1]
        near, far = hyperbolic(soon, k), hyperbolic(late, k)
        return Advantage(ratio * near - far, (far**2 * late - ratio * near**2 * soon,))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """k·(s·late − soon) ≥ 1 − s."""
        ratio, soon, late, _ = features
        return _never_at_nothing((ratio * late - soon)[:, np.newaxis], 1 - ratio, ratio)

    def reported(self, parameters: Floats) -> Floats:
        """k."""
        return parameters
