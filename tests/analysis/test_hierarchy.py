"""The hierarchical model of finals: it recovers known effects, agrees with the bootstrap where designs are balanced,
and says what it cannot reproduce."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.hierarchy import CO_PLAYER, RESIDUAL, Hierarchy, fit
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError

PLAYERS = "abcdefgh"
OWN = np.linspace(-7, 7, len(PLAYERS))


def games_of(count: int = 56, *, heavy: bool = False, harm: float = 0.0) -> GameTables:
    """All pairs in turn, in both roles: the first seat earns 2 more, every second seed 6 more, and a game has its own
    luck. With `harm`, player a takes that much from its co-player."""
    chance = np.random.default_rng(1)
    pairs = [(first, second) for first in range(len(PLAYERS)) for second in range(len(PLAYERS)) if first != second]
    games, seats = [], []
    for number in range(count):
        pair = pairs[number % len(pairs)]
        seed = int(chance.integers(4))
        luck = chance.normal(0, 1)
        games.append({"game": f"g{number}", "experiment": "e", "seats": 2, "seed": seed})
        for seat, player in enumerate(pair):
            noise = chance.standard_cauchy() * 20 if heavy else chance.normal(0, 1)
            final = 20 + OWN[player] + 2 * (seat == 0) + 6 * (seed % 2) + luck + noise - harm * (pair[1 - seat] == 0)
            seats.append({"game": f"g{number}", "seat": seat, "player": PLAYERS[player], "final": final})
    return GameTables(pl.DataFrame(games), pl.DataFrame(seats))


@cache
def fitted() -> Hierarchy:
    return fit(games_of(112, harm=8.0), ("seed",), draws=300)


@pytest.mark.slow
def test_known_effects_are_recovered() -> None:
    one = fitted()
    assert one.deviations["seed"].low is not None
    assert {"player", "seat", "game", "seed", CO_PLAYER, RESIDUAL} == set(one.deviations)
    values = [one.players[name].value for name in PLAYERS]
    gaps = np.diff([value for value in values if value is not None])
    assert np.mean(np.abs(gaps - 2)) < 0.8
    assert one.deviations[RESIDUAL].low <= 1 <= one.deviations[RESIDUAL].high  # type: ignore[operator]
    assert one.deviations[CO_PLAYER].low > 0.5  # type: ignore[operator]


@pytest.mark.slow
def test_balanced_games_agree_with_the_bootstrap_and_pass_the_checks() -> None:
    means = {row["player"]: row for row in mean_final(games_of(112, harm=8.0)).iter_rows(named=True)}
    for name, expected in fitted().players.items():
        assert expected.low < means[name]["high"], name  # type: ignore[operator]
        assert means[name]["low"] < expected.high, name  # type: ignore[operator]
    assert all(check.p_value > 0.01 for check in fitted().checks)


@pytest.mark.slow
def test_finals_with_heavy_tails_fail_the_predictive_checks() -> None:
    checks = fit(games_of(heavy=True), draws=200).checks
    assert any(
        check.p_value < 0.05 for check in checks if check.statistic in ("skewness", "greatest final", "least final")
    )


@pytest.mark.parametrize(("tables", "factors", "says"), [(5, (), "at least 6 games"), (20, ("weather",), "no column")])
def test_too_few_games_and_unknown_columns_are_refused(tables: int, factors: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        fit(games_of(tables), factors)
