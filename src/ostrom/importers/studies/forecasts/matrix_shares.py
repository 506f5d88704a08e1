"""Forecasts of the share of people who choose a row of a 2×2 game, with intervals from games that were held out."""

from typing import Any, Final

import numpy as np
from scipy.special import expit

from ostrom.analysis.forecasts.levels import COVERAGES, error_bounds
from ostrom.analysis.forecasts.matrix_models import fit_network
from ostrom.core.estimates import Floats, clustered_mean
from ostrom.importers.studies.forecasts.choices import ChoiceData, GameShares, merged_games

FOLDS: Final = 5
STEPS: Final = 150
"""The steps by which the networks of the folds are trained. There is one network for each fold."""
BANDS: Final = 3
"""Games are put into bands by how even their forecast is, with as many games each; errors are taken by band."""


def share_terms(own: Floats, other: Floats) -> Floats:
    """Return the payoffs of games (games, 8) by which the distance from the games of a study is measured."""
    terms: Floats = np.concatenate([own, other]).T
    return terms


def fit_shares(data: ChoiceData) -> dict[str, Any]:
    """Return the errors of cross-fitted forecasts of a game's share of row A, and the coverage of their intervals, as
    plain data."""
    games = merged_games(data, np.ones(len(data.chose), dtype=np.bool_))
    held_out = _held_out(games)
    errors = games.chose - held_out
    bounds = np.quantile(np.abs(held_out - 0.5), np.arange(1, BANDS) / BANDS)
    bands = np.digitize(np.abs(held_out - 0.5), bounds)
    # Errors are turned to the side of the more likely row, so that a band has one distribution of errors.
    turned = np.where(held_out >= 0.5, errors, -errors)
    coverage = []
    for stated in COVERAGES:
        covered, width = _covered(turned, bands, stated)
        estimate = clustered_mean(covered, np.ones(len(covered), dtype=np.int64))
        coverage.append({"stated": stated, **estimate.as_record(), "width": float(width.mean())})
    payoffs = share_terms(games.own, games.other)
    return {
        "bands": np.round(bounds, 6).tolist(),
        "errors": [np.round(np.sort(turned[bands == band]), 4).tolist() for band in range(BANDS)],
        "coverage": coverage,
        "error": float(np.sqrt(np.mean(errors**2))),
        "choices": float(np.median(games.counts)),
        "games": len(errors),
        "lowest": float(payoffs.min()),
        "highest": float(payoffs.max()),
        "spread": np.round(np.quantile(payoffs.std(axis=1), [0.01, 0.99]), 4).tolist(),
    }


def _held_out(games: GameShares) -> Floats:
    forecasts = np.empty_like(games.chose)
    fold = np.random.default_rng(0).permutation(len(games.chose)) % FOLDS
    for number in range(FOLDS):
        out = fold == number
        network = fit_network(
            games.own[:, ~out], games.other[:, ~out], games.chose[~out], games.counts[~out], fits=1, steps=STEPS
        )
        forecasts[out] = expit(network.advantage(games.own[:, out], games.other[:, out]))
    return forecasts


def _covered(turned: Floats, bands: Any, stated: float) -> tuple[Floats, Floats]:
    """Return, for each game, whether an interval from the errors of the other folds of its band holds its share, and
    the interval's width."""
    covered, width = np.empty(len(turned)), np.empty(len(turned))
    half = np.random.default_rng(1).permutation(len(turned)) % 10
    for band in np.unique(bands):
        for number in range(10):
            out = (bands == band) & (half == number)
            low, high = error_bounds(turned[(bands == band) & (half != number)], stated)
            covered[out] = (turned[out] >= low) & (turned[out] <= high)
            width[out] = high - low
    return covered, width
