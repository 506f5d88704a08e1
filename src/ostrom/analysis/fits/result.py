"""The result of an estimator: parameters, the membership of each player, and scores out of sample."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core.estimates import Estimate, t_interval

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
FOLDS: Final = 10
"""The number of parts into which the units are divided for scores out of sample."""


class Parameter(NamedTuple):
    """A parameter of a model."""

    name: str
    estimate: Estimate
    error: float | None
    """The standard error; None if it is not determined."""
    kind: str = ""
    """Parameters of one kind, such as shares, have a common scale in charts."""


class Member(NamedTuple):
    """A player, and the probability of each class."""

    player: str
    decisions: int
    probabilities: Mapping[str, float]
    """The posterior probability of each class. Without classes, the estimates of the player."""


class Score(NamedTuple):
    """The log loss of a model for decisions of units that it was not fitted to."""

    model: str
    log_loss: float
    gain: Estimate | None
    """The log loss of the baseline minus that of the model, with its interval over units; None for the baseline."""


@dataclass(frozen=True, eq=False)
class FitResult:
    """The result of an estimator for one set of decisions."""

    parameters: Sequence[Parameter]
    members: Sequence[Member]
    scores: Sequence[Score]
    """The scores. The baseline is the first one."""
    decisions: int
    units: int
    """The number of independent units, such as players or groups."""
    unit: str
    log_likelihood: float | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Further figures for programs, such as counts."""
    notes: Sequence[str] = ()


class FitOptions(NamedTuple):
    """The options of estimators."""

    resamples: int = 200
    """The number of bootstrap resamples for standard errors."""
    seed: int = 0
    classes: int = 1
    unit: str = "player"
    """The unit that has a type: a player, or each seat of a game."""


@dataclass(frozen=True)
class Estimator:
    """An estimator, and the columns that it reads."""

    name: str
    summary: str
    """The model in one sentence."""
    columns: Mapping[str, Sequence[str]]
    """The columns that a table must have, each with the other names under which a table may have it."""
    optional: Mapping[str, Sequence[str]]
    """The columns that a table may have."""
    fit: Callable[[pl.DataFrame, FitOptions], FitResult]
    classes: bool = True
    """True if players belong to classes."""


def folds_of(units: int, seed: int) -> Whole:
    """Return the fold of each unit. Folds are drawn from the seed, and their sizes differ by at most one."""
    order = np.random.default_rng(seed).permutation(units)
    folds = np.empty(units, dtype=np.int64)
    folds[order] = np.arange(units) % min(FOLDS, units)
    return folds


def scores_of(losses: Mapping[str, Floats], decisions: Floats) -> list[Score]:
    """Return the scores of models, given the sum of each unit's losses and its number of decisions. The first model is
    the baseline. The interval of a gain allows for the similarity of decisions within a unit."""
    total = float(decisions.sum())
    names = list(losses)
    base = losses[names[0]]
    scores = []
    for name in names:
        gain = (base - losses[name]) / total
        value = float(gain.sum())
        residual = gain - value * decisions / total
        units = len(residual)
        error = float(np.sqrt(np.sum(residual**2) * units / max(units - 1, 1)))
        interval = None if name == names[0] else t_interval(value, error, units - 1) if units > 1 else Estimate(value)
        scores.append(Score(name, float(losses[name].sum()) / total, interval))
    return scores
