"""The thin form of benchmarks/coverage_battery.py: intervals hold, and are as wide as they should be."""

import numpy as np
import pytest
from simulated import tasks

from coverage_parts import part
from ostrom.games.battery.scores.repetitions import weighted_sum
from ostrom.games.battery.scores.table import SubjectScores

WORLDS = 20


@pytest.mark.parametrize("study", [1, 5])
def test_intervals_of_adaptive_tasks_hold(study: int) -> None:
    # So few worlds show gross failures alone; benchmarks/coverage_battery.py judges the rates.
    for row in part("battery").STUDIES[study](WORLDS // 2):
        assert row.high >= 0.85, row
        assert row.width is not None
        assert 0.4 < row.width < 2.5, row


@pytest.mark.parametrize("study", [11, 13, 15])
def test_intervals_of_stated_tasks_hold(study: int) -> None:
    for row in part("battery").STUDIES[study](WORLDS):
        assert np.isnan(row.rate) or row.high >= 0.93, row
        # The sampling distribution of a minimum can be next to a point.
        assert row.width is None or row.what == "minimum_acceptable" or row.width < 3, row


def test_a_subject_without_noise_has_intervals_without_width() -> None:
    found = SubjectScores("a", tasks("prospect"))
    for name in ("rationality", "rationality_published", "delta", "delta_corrected", "err_eu", "err_ev", "k", "m"):
        score = found.scores[name]
        assert score.low == score.high == score.value, name
    explained = found.scores["delta_likelihood"]
    assert "explains them all" in (explained.reason or ""), "there the interval is the set of what explains all choices"
    assert explained.low < explained.high


def test_conditions_are_never_resampled() -> None:
    place = np.repeat(np.arange(4), 5)
    apart = weighted_sum(np.repeat([0.0, 10.0, 40.0, 90.0], 5), np.full(20, 0.05), place, 35.0, two_valued=False)
    assert apart.score.low == apart.score.high == 35
    assert apart.spread == pytest.approx(np.std([0, 10, 40, 90]))
    noise = np.tile([-2.0, -1.0, 0.0, 1.0, 2.0], 4)
    near, far = (
        weighted_sum(noise + np.repeat(level, 5), np.full(20, 0.05), place, 0.0, two_valued=False).score
        for level in ([0, 0, 0, 0], [0, 10, 40, 90])
    )
    assert near.high - near.low == pytest.approx(far.high - far.low)


@pytest.mark.parametrize("chances", [[0.5] * 9, [0.02] * 5 + [0.98] * 4, [0.03] * 9, [0.1, 0.5, 0.9] * 3])
def test_shares_are_covered(chances: list[float]) -> None:
    place, draws = np.repeat(np.arange(9), 10), np.random.default_rng(1)
    held = []
    for _ in range(300):
        numbers = 100.0 * (draws.random(90) < np.array(chances)[place])
        score = weighted_sum(numbers, np.full(90, 1 / 90), place, float(np.mean(numbers)), two_valued=True).score
        if score.low != score.high:
            held.append(score.low <= 100 * np.mean(chances) <= score.high)
    assert np.mean(held) > 0.91
