"""Conditional cooperation: a player's next contribution as a linear function of its own last contribution and the
others' last mean (Fischbacher and Gächter 2010). Standard errors are from a jackknife over independent units (CR3; Bell
and McCaffrey 2002)."""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.contributions import CONTRIBUTION, FURTHER, NextContributions, next_contributions
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, folds_of, scores_of
from ostrom.core.errors import InputError
from ostrom.core.estimates import t_interval

Floats = npt.NDArray[np.float64]
NAMES: Final = ("constant", "own last", "others' last mean")
MIN_OWN: Final = 5
"""The number of decisions that an estimate of a single player needs."""


class _Moments:
    """Sums of products by unit, from which the coefficients without some units follow."""

    def __init__(self, design: Floats, outcome: Floats, unit: npt.NDArray[np.int64]) -> None:
        units = int(unit.max()) + 1
        width = design.shape[1]
        self.products = np.zeros((units, width, width))
        self.outcomes = np.zeros((units, width))
        np.add.at(self.products, unit, design[:, :, np.newaxis] * design[:, np.newaxis, :])
        np.add.at(self.outcomes, unit, design * outcome[:, np.newaxis])

    def coefficients(self, units: npt.NDArray[np.bool_]) -> Floats:
        """Return the least squares coefficients of these units."""
        product = self.products[units].sum(axis=0)
        if np.linalg.matrix_rank(product) < len(product):
            raise InputError("contributions of players and of others vary too little to separate their effects")
        return np.asarray(np.linalg.solve(product, self.outcomes[units].sum(axis=0)))


def fit_conditional(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the coefficients, with each player's own slope on the others' last mean."""
    data = next_contributions(rows)
    design = np.column_stack([np.ones(len(data.contribution)), data.own_before, data.others_before])
    moments = _Moments(design, data.contribution, data.cluster)
    units = len(moments.products)
    if units < 3:
        raise InputError(f"there are {units} independent {data.cluster_word}s; intervals need at least 3")
    whole = moments.coefficients(np.ones(units, dtype=np.bool_))
    rest = np.stack([moments.coefficients(np.arange(units) != unit) for unit in range(units)])
    errors = np.sqrt((units - 1) / units * ((rest - whole) ** 2).sum(axis=0))
    residual = data.contribution - design @ whole
    return FitResult(
        parameters=[
            Parameter(name, t_interval(float(value), float(error), units - 1), float(error), "coefficient")
            for name, value, error in zip(NAMES, whole, errors, strict=True)
        ],
        members=_members(data),
        scores=_scores(data, design, moments, options.seed),
        decisions=len(residual),
        units=units,
        unit=data.cluster_word,
        figures={
            "mean_absolute_error": float(np.abs(residual).mean()),
            "root_mean_square": float(np.sqrt((residual**2).mean())),
            "mean_absolute_error_of_mean": float(np.abs(data.contribution - data.contribution.mean()).mean()),
            "mean_absolute_error_of_own_last": float(np.abs(data.contribution - data.own_before).mean()),
        },
        notes=["Errors in the figures are in sample; the scores are for units that the model was not fitted to."],
    )


def _members(data: NextContributions) -> list[Member]:
    members = []
    for place, name in enumerate(data.players):
        own = data.player == place
        given, others = data.contribution[own], data.others_before[own]
        values: dict[str, float] = {"mean contribution": float(given.mean())}
        if len(given) >= MIN_OWN and np.ptp(others) > 0:
            values["slope on others"] = float(np.polyfit(others, given, 1)[0])
        members.append(Member(name, len(given), values))
    return members


def _scores(data: NextContributions, design: Floats, moments: _Moments, seed: int) -> list[Score]:
    """Return the log losses over whole contributions, by normal densities that are cut to the possible amounts."""
    units = len(moments.products)
    folds = folds_of(units, seed)
    of_row = folds[data.cluster]
    losses: dict[str, Floats] = {
        "mean": np.zeros(len(of_row)),
        "own last": np.zeros(len(of_row)),
        "linear": np.zeros(len(of_row)),
    }
    for fold in range(int(folds.max()) + 1):
        fitted, test = of_row != fold, of_row == fold
        coefficients = moments.coefficients(folds != fold)
        means = {
            "mean": np.full(len(of_row), data.contribution[fitted].mean()),
            "own last": data.own_before,
            "linear": design @ coefficients,
        }
        for name, mean in means.items():
            spread = float(np.sqrt(((data.contribution - mean)[fitted] ** 2).mean())) or 1.0
            losses[name][test] = _cut_normal(data.contribution[test], mean[test], spread, data.endowment)
    sums = {
        name: np.bincount(data.cluster, weights=loss, minlength=units).astype(np.float64)
        for name, loss in losses.items()
    }
    return scores_of(sums, np.bincount(data.cluster, minlength=units).astype(np.float64))


def _cut_normal(value: Floats, mean: Floats, spread: float, most: float) -> Floats:
    from scipy.special import ndtr

    def mass(low: Floats, high: Floats) -> Floats:
        return np.asarray(ndtr((high - mean) / spread) - ndtr((low - mean) / spread))

    inside = mass(np.full(len(mean), -0.5), np.full(len(mean), most + 0.5))
    return np.asarray(-np.log(np.maximum(mass(value - 0.5, value + 0.5) / np.maximum(inside, 1e-12), 1e-12)))


CONDITIONAL: Final = Estimator(
    "conditional",
    "A player's next contribution is a linear function of its own last contribution and the others' last mean.",
    CONTRIBUTION,
    FURTHER,
    fit_conditional,
    classes=False,
)
