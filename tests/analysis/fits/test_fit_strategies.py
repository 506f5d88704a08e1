"""Strategy frequency estimation recovers known shares, and the published ones of Dal Bó and Fréchette 2011."""

import numpy as np
import polars as pl
import pytest

from foreign_data import foreign
from ostrom.analysis.fits.data import decisions_of
from ostrom.analysis.fits.result import FitOptions, FitResult
from ostrom.analysis.fits.strategies import AUTOMATA, STRATEGIES
from ostrom.core.errors import InputError

PUBLISHED = {
    "D5R32": ((0.920, 0, 0, 0.080, 0, 0), 0.060),
    "D5R48": ((0.533, 0.072, 0, 0.376, 0, 0.019), 0.088),
    "D75R48": ((0, 0.079, 0.116, 0.561, 0.244, 0), 0.030),
}


def _fit(table: pl.DataFrame) -> FitResult:
    return STRATEGIES.fit(decisions_of(table, STRATEGIES.columns, STRATEGIES.optional), FitOptions(resamples=50))


@pytest.mark.slow
@pytest.mark.parametrize("treatment", PUBLISHED)
def test_published_frequencies_hold(treatment: str) -> None:
    table = pl.read_csv(foreign("humans") / "df2011_sfem.csv")
    result = _fit(table.filter(pl.col("treatment") == treatment))
    *shares, tremble = (float(one.estimate) for one in result.parameters)
    frequencies, published_tremble = PUBLISHED[treatment]
    assert shares == pytest.approx(frequencies, abs=0.0006)
    assert tremble == pytest.approx(published_tremble, abs=0.0006)
    assert sum(shares) == pytest.approx(1)


def _played(names: list[str], rounds: int) -> pl.DataFrame:
    """Players with these strategies meet each other once, without trembles."""
    rows = []
    for first, one in enumerate(names):
        for second, two in enumerate(names):
            if second <= first:
                continue
            machines, states = (AUTOMATA[one], AUTOMATA[two]), [0, 0]
            for round_ in range(rounds):
                acts = [machine.cooperates[state] for machine, state in zip(machines, states, strict=True)]
                for seat, player in enumerate((first, second)):
                    row = (f"p{player}", f"{first}-{second}", seat, round_, acts[seat], acts[1 - seat])
                    rows.append(row)
                    states[seat] = machines[seat].following[states[seat]][2 * (not acts[seat]) + (not acts[1 - seat])]
    return pl.DataFrame(rows, schema=["player", "game", "seat", "round", "choice", "other"], orient="row")


def test_players_belong_to_their_own_strategies() -> None:
    names = ["AllD", "AllD", "AllC", "Grim", "TFT", "T2", "WSLS"]
    result = _fit(_played(names, 8))
    for place, member in enumerate(result.members):
        assert member.probabilities[names[place]] > 0.45, member
        assert sum(member.probabilities.values()) == pytest.approx(1)
    assert float(result.parameters[-1].estimate) < 0.01
    for one in result.parameters:
        assert one.estimate.low is not None
        assert one.estimate.high is not None
        assert one.estimate.low <= float(one.estimate) + 1e-9
        assert float(one.estimate) <= one.estimate.high + 1e-9


def test_numbers_of_actions_begin_with_cooperation() -> None:
    table = _played(["AllD", "AllC", "TFT"], 6)
    numbered = table.select(
        "player",
        "game",
        "seat",
        "round",
        chosen=1 - pl.col("choice").cast(pl.Int64),
        action=1 - pl.col("choice").cast(pl.Int64),
        other_action=1 - pl.col("other").cast(pl.Int64),
        other=1 - pl.col("seat"),
    )
    one, two = _fit(table), _fit(numbered)
    assert [float(p.estimate) for p in one.parameters] == pytest.approx([float(p.estimate) for p in two.parameters])


@pytest.mark.slow
def test_order_of_rows_does_not_matter() -> None:
    table = _played(["AllD", "TFT", "WSLS", "Grim"], 5)
    shuffled = table.sample(fraction=1.0, shuffle=True, seed=1)
    one, two = _fit(table), _fit(shuffled)
    assert [float(p.estimate) for p in one.parameters] == pytest.approx([float(p.estimate) for p in two.parameters])


@pytest.mark.slow
def test_every_seat_of_a_game_can_be_a_unit() -> None:
    table = decisions_of(_played(["AllD", "TFT", "WSLS", "Grim"], 5), STRATEGIES.columns, STRATEGIES.optional)
    result = STRATEGIES.fit(table, FitOptions(resamples=50, unit="seat"))
    assert result.units == 12


def test_a_round_twice_is_refused() -> None:
    table = _played(["AllD", "TFT", "WSLS"], 3).drop("game", "seat")
    with pytest.raises(InputError, match="two decisions in round"):
        _fit(table)


def test_other_words_for_choices_are_refused() -> None:
    table = _played(["AllD", "TFT"], 3).with_columns(choice=pl.lit("maybe"))
    with pytest.raises(InputError, match="'maybe'"):
        _fit(table)


@pytest.mark.slow
def test_scores_are_better_than_the_baseline_for_players_of_strategies() -> None:
    rng = np.random.default_rng(1)
    names = rng.choice(["AllD", "TFT"], 16).tolist()
    baseline, _, strategies = _fit(_played(names, 6)).scores
    assert strategies.log_loss < baseline.log_loss
    assert strategies.gain is not None
    assert strategies.gain.low is not None
    assert strategies.gain.low > 0
