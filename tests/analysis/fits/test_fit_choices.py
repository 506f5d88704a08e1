"""Quantal response, levels of reasoning and social preferences recover known parameters and published figures."""

import hashlib

import numpy as np
import polars as pl
import pytest

from foreign_data import foreign
from ostrom.analysis.fits.data import decisions_of, with_payoffs
from ostrom.analysis.fits.matrix_choices import PAYOFFS
from ostrom.analysis.fits.quantal import LEVEL_K, QRE
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult
from ostrom.analysis.fits.social import SOCIAL, fit_mixture_of_preferences, social_choices
from ostrom.core.errors import InputError

OPTIONS = FitOptions(resamples=50)
LEFT_OUT = {
    *("e72acf", "4111af", "c06d97", "b630f4", "e33bdb", "0904a1", "8aeb1f"),
    *("1bf3ad", "446eb0", "8d8557", "e41d9d", "658005", "999195", "4710f4"),
}
"""The first digits of the digests of the ids of people whom the study left out."""


def _fit(estimator: Estimator, table: pl.DataFrame, options: FitOptions = OPTIONS) -> FitResult:
    return estimator.fit(decisions_of(table, estimator.columns, {**estimator.optional}), options)


def _logit(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))


def _choices(seed: int, levels: tuple[float, float, float]) -> pl.DataFrame:
    """60 players with 20 games each; the precisions of level 1 and 2 are .3."""
    rng = np.random.default_rng(seed)
    rows = []
    for player in range(60):
        level = rng.choice(3, p=levels)
        cells = rng.integers(1, 30, (20, 8))
        own, other = cells[:, ::2].T, cells[:, 1::2].T
        column = _logit(0.3 * (other[0] - other[1] + other[2] - other[3]) / 2)
        first = (own[0] - own[2] + own[1] - own[3]) / 2
        second = column * (own[0] - own[2]) + (1 - column) * (own[1] - own[3])
        chance = [np.full(20, 0.5), _logit(0.3 * first), _logit(0.3 * second)][level]
        rows += [
            (f"p{player:02}", *row, bool(chosen))
            for row, chosen in zip(cells.tolist(), rng.random(20) < chance, strict=True)
        ]
    return pl.DataFrame(rows, schema=["player", *PAYOFFS, "choice"], orient="row")


@pytest.mark.slow
def test_levels_are_recovered() -> None:
    result = _fit(LEVEL_K, _choices(2, (0.2, 0.5, 0.3)))
    truth = (0.2, 0.5, 0.3, 0.3, 0.3)
    for one, value in zip(result.parameters, truth, strict=True):
        assert one.error is not None
        assert abs(float(one.estimate) - value) < 4 * one.error
    assert all(sum(member.probabilities.values()) == pytest.approx(1) for member in result.members)
    assert result.scores[-1].log_loss < result.scores[0].log_loss


def test_equal_rows_are_refused() -> None:
    table = _choices(1, (1.0, 0.0, 0.0)).with_columns(pl.lit(3).alias(name) for name in PAYOFFS)
    with pytest.raises(InputError, match="same"):
        _fit(QRE, table)


def test_payoffs_are_read_from_play() -> None:
    cells = [(seat, own, other) for seat in (0, 1) for own in (0, 1) for other in (0, 1)]
    rounds = pl.DataFrame(
        [
            ("g", seat, place, own, own, other, 10.0 * seat + 2 * own + other)
            for place, (seat, own, other) in enumerate(cells)
        ],
        schema=["game", "seat", "round", "chosen", "action", "other_action", "points"],
        orient="row",
    )
    row = with_payoffs(rounds).filter(pl.col("seat") == 0).row(0, named=True)
    assert (row["own_ac"], row["own_ad"], row["own_bc"], row["own_bd"]) == (0, 1, 2, 3)
    assert (row["other_ac"], row["other_ad"], row["other_bc"], row["other_bd"]) == (10, 12, 11, 13)
    assert "own_ac" not in with_payoffs(rounds.head(7)).columns


@pytest.mark.slow
def test_social_preferences_of_bruhin_fehr_and_schunk_hold() -> None:
    table = pl.read_csv(foreign("humans") / "bfs2019_session1.csv", infer_schema=False)
    result = _fit(SOCIAL, table.filter(~pl.col("sid").is_in(left_out(table["sid"].unique().to_list()))))
    published = {
        "α": (0.083, 0.015),
        "β": (0.261, 0.019),
        "γ": (0.072, 0.014),
        "δ": (-0.042, 0.011),
        "σ": (0.016, 0.001),
    }
    assert result.units == 160
    assert result.log_likelihood == pytest.approx(-5472.314, abs=6e-4)
    for one in result.parameters:
        value, error = published[one.name]
        assert float(one.estimate) == pytest.approx(value, abs=6e-4)
        assert one.error == pytest.approx(error, abs=6e-4)


@pytest.mark.slow
def test_three_types_of_bruhin_fehr_and_schunk_hold() -> None:
    table = pl.read_csv(foreign("humans") / "bfs2019_session1.csv", infer_schema=False)
    rows = decisions_of(table, SOCIAL.columns, SOCIAL.optional)
    choices = social_choices(rows.filter(~pl.col("player").is_in(left_out(rows["player"].unique().to_list()))))
    shares, coefficients, _ = fit_mixture_of_preferences(choices, 3, 0)
    weights = coefficients[:, 1:3] / coefficients[:, :1]
    assert shares == pytest.approx([0.405, 0.474, 0.121], abs=6e-4)
    assert weights[:, 0] == pytest.approx([0.159, 0.065, -0.435], abs=6e-4)
    assert weights[:, 1] == pytest.approx([0.463, 0.130, -0.145], abs=6e-4)


def left_out(players: list[str]) -> list[str]:
    """The 14 of 174 people whom the study left out, known here by the digest of their ids alone."""
    return [player for player in players if hashlib.sha256(player.encode()).hexdigest()[:6] in LEFT_OUT]
