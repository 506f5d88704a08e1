"""The hierarchical model of contributions recovers the spread of players, and its leave-one-out densities are exact
where they are known."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.fits.data import decisions_of
from ostrom.analysis.fits.psis import MAX_SHAPE, leave_one_out
from ostrom.analysis.fits.result import FitOptions
from ostrom.core.errors import InputError


def simulated(players: int = 32, rounds: int = 10) -> pl.DataFrame:
    """Groups of 4 whose members differ in their constants and slopes."""
    draw = np.random.default_rng(3)
    constants, slopes = draw.normal(2, 2, players), draw.normal(0.5, 0.25, players)
    given = draw.normal(10, 3, players)
    rows = []
    for round_ in range(1, rounds + 1):
        if round_ > 1:
            groups = given.reshape(-1, 4)
            others = ((groups.sum(axis=1, keepdims=True) - groups) / 3).ravel()
            given = constants + 0.2 * given + slopes * others + draw.normal(0, 1, players)
        rows += [(f"p{place:02}", place // 4, round_, float(given[place])) for place in range(players)]
    return pl.DataFrame(rows, schema=["player", "game", "round", "contribution"], orient="row")


def test_left_out_densities_are_those_of_a_normal_sample():
    draw = np.random.default_rng(1)
    values = draw.normal(0, 1, 40)
    mean = values.mean() + draw.normal(0, 1, 4_000) / np.sqrt(40)
    density = -0.5 * (values - mean[:, np.newaxis]) ** 2 - 0.5 * np.log(2 * np.pi)
    left_out = leave_one_out(density)
    others = (values.sum() - values) / 39
    spread = 1 + 1 / 39
    exact = -0.5 * (values - others) ** 2 / spread - 0.5 * np.log(2 * np.pi * spread)
    assert left_out.log_density == pytest.approx(exact, abs=0.02)
    assert left_out.shape.max() < MAX_SHAPE


def test_too_few_players_are_refused():
    estimator = pytest.importorskip("ostrom.analysis.fits.hierarchical").HIERARCHICAL
    rows = decisions_of(simulated(4), estimator.columns, estimator.optional)
    with pytest.raises(InputError, match="at least 5 players"):
        estimator.fit(rows, FitOptions())


@pytest.mark.slow
def test_players_differ_as_they_were_drawn():
    estimator = pytest.importorskip("ostrom.analysis.fits.hierarchical").HIERARCHICAL
    table = decisions_of(simulated(), estimator.columns, estimator.optional)
    result = estimator.fit(table, FitOptions(seed=1))
    values = {one.name: one.estimate for one in result.parameters}
    truth = {"own last": 0.2, "others' last mean": 0.5, "deviation of slopes": 0.25, "residual deviation": 1.0}
    for name, value in truth.items():
        low, high = values[name].low, values[name].high
        assert low - 0.1 <= value <= high + 0.1, name
    assert result.units == len(result.members) == 32
    assert result.figures["rhat"] <= 1.05
    assert [score.model for score in result.scores] == ["one line for all", "hierarchical"]
    assert result.scores[1].gain is not None
    assert result.scores[1].gain.low > 0
    assert result.figures["checks"]["the mean"]["p_value"] > 0.05
