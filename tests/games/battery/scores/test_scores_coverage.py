"""The thin form of benchmarks/coverage_battery.py: intervals hold, and are as wide as they should be."""

from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pytest
from simulated import tasks

from coverage_parts import part
from ostrom.games.battery.scores import replicates, risk
from ostrom.games.battery.scores.logit import ChoiceCounts, fit
from ostrom.games.battery.scores.risk import RiskScores
from ostrom.games.battery.scores.score import weighted_sum
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.scores.theories import EXPECTED_UTILITY
from ostrom.games.battery.subjects.theories import ExpectedUtility, Prospect

pytestmark = pytest.mark.slow

WORLDS = 20
Study: TypeAlias = partial[Any]


def _study(function: str, *settings: object) -> Study:
    """Return the study of this function with these among its arguments."""
    (study,) = (
        study
        for study in part("battery").STUDIES
        if study.func.__name__ == function
        and all(
            any(type(argument) is type(setting) and argument == setting for argument in study.args)
            for setting in settings
        )
    )
    return study


@pytest.mark.parametrize("subject", ["exponential δ 0.9, risk neutral", "β 0.7 δ 0.95, prospect theory"])
def test_intervals_of_adaptive_tasks_hold(subject: str) -> None:
    # So few worlds show gross failures alone; benchmarks/coverage_battery.py judges the rates.
    for row in _study("adaptive", subject, 0.1)(WORLDS // 2):
        assert row.high >= 0.85, row
        assert 0.4 < row.width < 2.5, row


def test_intervals_of_a_subject_whose_patience_depends_on_the_amount_are_narrow() -> None:
    for row in _study("adaptive", "magnitude, r −0.5", 0.03)(WORLDS):
        assert row.high >= 0.9, row
        assert row.width < 2.5, row


@pytest.mark.parametrize(
    "subject", ["modes of δ 0.7 and 0.95 in 1 to 4, noise 0.03", "δ 0.9, noise 0.01, 0.03, 0.1 by stake"]
)
def test_intervals_of_patience_hold_without_a_theory_with_one_noise(subject: str) -> None:
    for row in _study("patience", subject)(WORLDS):
        assert row.high >= 0.9, row
        assert 0.4 < row.width < 2.5, row


@pytest.mark.parametrize(
    "study",
    [("Fehr–Schmidt, noise 0.1", "SOCIAL"), ("selfish, noise 0.1", "SOCIAL"), ("selfish, noise 0.1", "TOGETHER")],
)
def test_intervals_of_stated_tasks_hold(study: tuple[str, str]) -> None:
    subject, scores = study
    for row in _study("stated", subject, getattr(part("battery"), scores))(WORLDS):
        assert np.isnan(row.rate) or row.high >= 0.93, row
        # The sampling distribution of a minimum can be next to a point.
        assert row.width is None or row.what == "minimum_acceptable" or row.width < 3, row


def test_a_subject_without_noise_has_intervals_without_width() -> None:
    found = SubjectScores("a", tasks("prospect"))
    for name in ("rationality", "rationality_published", "delta", "delta_corrected", "err_eu", "err_ev", "k", "m"):
        score = found.scores[name]
        assert score.low == score.high == score.value, name
    exact_fit = found.scores["delta_likelihood"]
    assert "explains them all" in (exact_fit.reason or ""), "there the interval is the set of what explains all choices"
    assert exact_fit.low < exact_fit.high


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


SUBJECTS = {"expected utility": ExpectedUtility(r=0.5), "prospect": Prospect()}


def _played_again(subject: str, noise: float) -> RiskScores:
    """The risk task of one simulated subject, played again."""
    return part("battery").risk_scores(part("battery").recovery.play_risk(SUBJECTS[subject], noise, 1, 5), 0)


def test_curvature_of_a_task_played_again_is_the_likeliest(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[replicates.Sequences] = []
    monkeypatch.setattr(risk, "bisect_risk", lambda *rest: seen.append(replicates.bisect_risk(*rest)) or seen[-1])
    found = _played_again("prospect", 0.05)
    (played,) = seen
    for draw in range(0, 500, 60):
        cell, step = np.nonzero(played.answers[draw])
        q, upward = played.asked[draw][cell, step], played.upward[draw][cell]
        reference = found.points.reference[cell]
        features = np.stack([np.where(upward, q, 0.0) - reference[:, 2], 1 - q - reference[:, 1]])
        counts = (getattr(played, name)[draw][cell, step].astype(np.float64) for name in ("chosen", "answers"))
        whole = fit(EXPECTED_UTILITY, ChoiceCounts(features, *counts, cell, len(found.points.q)))
        assert found.replicates.m[draw] == pytest.approx(whole.parameters[0, 0], abs=2e-3)


def test_deviations_from_expected_utility_are_no_error_of_the_curvature() -> None:
    # A maximiser of expected utility: the clustered error and that of playing again are of one size. Who weighs
    # probabilities lies off it in every condition, the same way each time it is asked.
    ratios = {}
    for subject in SUBJECTS:
        found = _played_again(subject, 0.03)
        assert np.mean(found.m_draws) == pytest.approx(found.fit.place[0])
        ratios[subject] = np.std(found.m_draws) / np.std(found.fit.draws[:, 0])
    assert 0.7 < ratios["expected utility"] < 1.4
    assert ratios["prospect"] < 0.75
