"""Choice models of results: conditional logits whose parameters are the strengths of players and the effects of
covariates. Davidson's model and the Plackett–Luce model are of this kind.

A result is a list of choice sets. In a set, alternative a has the probability w_a exp(x_a · β) / Σ_b w_b exp(x_b · β),
where x_a are the features of the alternative. All parameters have the weak normal prior of the order-free rating.

Units (games, games with the same draws, or clusters) are independent. Their influence is computed by leaving out each
unit in turn, with one step of Newton's method from the fit to all units. Each variance is at least that of the model.
The equality of two players is also tested by scores, as for the order-free rating, because errors are too small if one
player won or lost almost every comparison.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ostrom.analysis.ratings.method import ComparedRating, GameResults
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES, PRIOR, comparisons, linked_groups
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats, Whole

MAX_CELLS = 2**26
"""The largest number of entries of the table of features."""
MAX_TESTED_PLAYERS = 40
"""The largest number of players for which the equality of every pair is tested by scores."""
_MAX_STEPS = 100
_MAX_CHORD_STEPS = 40
_MAX_STEP = 1.0
_TOLERANCE = 1e-9
_SCORE_TOLERANCE = 1e-6
_MAX_UNIT_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class ChoiceSets:
    """Choice sets with the same number of alternatives."""

    features: Floats
    """(sets, alternatives, parameters)"""
    log_weights: Floats
    """(sets, alternatives) The logarithms of the weights; -inf for a missing alternative."""
    chosen: Floats
    """(sets, alternatives) The shares of the alternatives that were chosen. They sum to 1 in a set."""
    unit: Whole
    """(sets,) The number of the set's unit."""
    weight: Floats
    """(sets,) The number of times that the set counts."""

    @property
    def units(self) -> int:
        return int(self.unit.max()) + 1

    def probabilities(self, at: Floats) -> Floats:
        """Return the probability of each alternative, (sets, alternatives)."""
        utility = self.features @ at + self.log_weights
        utility -= utility.max(axis=1, keepdims=True)
        power = np.exp(utility)
        return np.asarray(power / power.sum(axis=1, keepdims=True))

    def slope(self, at: Floats) -> Floats:
        """Return the slope of the log likelihood, (parameters,)."""
        residual = (self.chosen - self.probabilities(at)) * self.weight[:, None]
        return np.asarray(residual.ravel() @ self.features.reshape(-1, self.features.shape[2]))

    def scores(self, at: Floats) -> Floats:
        """Return the slope of each set, (sets, parameters)."""
        residual = (self.chosen - self.probabilities(at)) * self.weight[:, None]
        return np.asarray(np.einsum("sa,sap->sp", residual, self.features))

    def unit_scores(self, at: Floats) -> Floats:
        """Return the slope of each unit, (units, parameters)."""
        total = np.zeros((self.units, self.features.shape[2]))
        np.add.at(total, self.unit, self.scores(at))
        return total

    def information(self, at: Floats, some: Whole | slice = slice(None)) -> Floats:
        """Return the information of some sets, (parameters, parameters)."""
        share = self.probabilities(at)[some] * self.weight[some, None]
        features = self.features[some]
        own = (features * np.sqrt(share)[:, :, None]).reshape(-1, features.shape[2])
        mean = np.einsum("sa,sap->sp", share, features)
        mean = mean / np.sqrt(np.maximum(self.weight[some], np.finfo(float).tiny))[:, None]
        return np.asarray(own.T @ own - mean.T @ mean)

    def unit_information(self, at: Floats) -> Floats:
        """Return the information of each unit, (units, parameters, parameters)."""
        order = np.argsort(self.unit, kind="stable")
        bounds = np.searchsorted(self.unit[order], np.arange(self.units + 1))
        return np.asarray(
            [self.information(at, order[bounds[one] : bounds[one + 1]]) for one in range(self.units)],
            dtype=np.float64,
        )


@dataclass(frozen=True, eq=False)
class ChoiceRating(ComparedRating):
    """Strengths that a choice model has fitted, centred at 0, and the effects of its covariates."""

    effects: tuple[tuple[str, Estimate], ...] = ()
    """The name of each covariate, and its effect for one unit of the covariate."""


def check_size(sets: int, alternatives: int, parameters: int) -> None:
    """Raise `InputError` if the table of features would be too large."""
    if sets * alternatives * parameters > MAX_CELLS:
        raise InputError(
            f"{sets:,} comparisons with {parameters:,} parameters are too many for this rating method; choose "
            "order-free"
        )


def rate_choices(results: GameResults, sets: ChoiceSets, covariates: Sequence[str]) -> ChoiceRating:
    """Return the strengths of the players. The first parameters are the players', and the next are the covariates'."""
    from scipy.special import stdtrit

    names, count = len(results.names), len(covariates)
    at = _fit(sets)
    moved = _moved_by_units(sets, at)
    whole = sets.information(at) + np.eye(len(at)) / PRIOR**2
    centred = np.eye(len(at))
    centred[:names, :names] -= 1 / names
    jackknife = centred @ (moved.T @ moved) @ centred.T
    model = np.diag(centred @ np.linalg.inv(whole) @ centred.T)
    covariance = jackknife + np.diag(np.maximum(model - np.diag(jackknife), 0))
    theta = at[:names] - at[:names].mean()
    held = results.units_of()
    reach = stdtrit(np.maximum(held - 1, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance)[:names])
    strengths = tuple(
        Estimate(float(value), float(value - half), float(value + half))
        if games >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games: no interval")
        for value, half, games in zip(theta, reach, held, strict=True)
    )
    units = len(np.unique(results.units[results.comparing]))
    widths = stdtrit(max(units - 1, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance)[names : names + count])
    effects = tuple(
        (
            name,
            Estimate(float(value), float(value - half), float(value + half))
            if units >= LEAST_GAMES
            else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games: no interval"),
        )
        for name, value, half in zip(covariates, at[names : names + count], widths, strict=True)
    )
    return ChoiceRating(
        results.names,
        strengths,
        theta,
        np.asarray(covariance[:names, :names]),
        units,
        held,
        linked_groups(comparisons(results)),
        equality_errors=_equality_errors(sets, at, np.asarray(jackknife[:names, :names]), whole),
        effects=effects,
    )


def _fit(sets: ChoiceSets) -> Floats:
    """Return the parameters with the highest posterior density."""
    at = np.zeros(sets.features.shape[2])
    for _ in range(_MAX_STEPS):
        curve = sets.information(at) + np.eye(len(at)) / PRIOR**2
        step = np.linalg.solve(curve, sets.slope(at) - at / PRIOR**2)
        longest = float(np.abs(step).max())
        at += step * min(1, _MAX_STEP / max(longest, _MAX_STEP))
        if longest < _TOLERANCE:
            break
    return at


def _moved_by_units(sets: ChoiceSets, at: Floats) -> Floats:
    """Return how much each unit changes the parameters, (units, parameters)."""
    size = len(at)
    whole = sets.information(at) + np.eye(size) / PRIOR**2
    scores = sets.unit_scores(at)
    if len(scores) * size**2 > _MAX_UNIT_CELLS:
        # The information of a single one of these many units hardly changes the step.
        return np.asarray(np.linalg.solve(whole, scores.T).T * len(scores) / max(len(scores) - 1, 1))
    without = whole - sets.unit_information(at)
    return np.asarray(np.linalg.solve(without, scores[:, :, None])[:, :, 0])


def _equality_errors(sets: ChoiceSets, at: Floats, jackknife: Floats, whole: Floats) -> Floats | None:
    """Return the standard error of each difference in the test that it is 0; None if there are too many players."""
    names = len(jackknife)
    if names > MAX_TESTED_PLAYERS:
        return None
    variance = np.diag(jackknife)
    errors: Floats = np.sqrt(np.maximum(variance[:, None] + variance - 2 * jackknife, 0))
    for one, other in zip(*np.triu_indices(names, 1), strict=True):
        lead = float(at[one] - at[other])
        statistic = _score_statistic(sets, at, int(one), int(other), whole)
        if statistic:
            errors[one, other] = errors[other, one] = max(errors[one, other], abs(lead / statistic))
    return errors


def _score_statistic(sets: ChoiceSets, at: Floats, one: int, other: int, whole: Floats) -> float:
    """Return the studentised score in the fit in which the two players are equal."""
    at = at.copy()
    at[one] = at[other] = (at[one] + at[other]) / 2
    contrast = np.zeros(len(at))
    contrast[one], contrast[other] = 1, -1
    curve, slope = whole, sets.slope(at) - at / PRIOR**2
    for _ in range(_MAX_CHORD_STEPS):
        free, along = np.linalg.solve(curve, np.stack((slope, contrast), axis=1)).T
        step = free - along * (free @ contrast) / (along @ contrast)
        longest = float(np.abs(step).max())
        at += step * min(1, _MAX_STEP / max(longest, _MAX_STEP))
        slope = sets.slope(at) - at / PRIOR**2
        if longest < _SCORE_TOLERANCE:
            break
    curve = sets.information(at) + np.eye(len(at)) / PRIOR**2
    along = np.linalg.solve(curve, contrast)
    direction = along / (along @ contrast)
    scores = sets.unit_scores(at) @ direction
    units = len(scores)
    variance = (np.sum(scores**2) - scores.sum() ** 2 / units) * units / max(units - 1, 1)
    return float(direction @ slope / np.sqrt(variance)) if variance > 0 else 0.0
