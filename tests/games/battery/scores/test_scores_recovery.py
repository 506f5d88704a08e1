"""Estimators recover what subjects are made of: ten seeds here, two hundred in benchmarks/battery_recovery.py."""

import numpy as np
import pytest
from scipy.optimize import minimize
from simulated import recovery

from ostrom.games.battery.scores.logit import ChoiceCounts, exact_fit, fit, fit_theory
from ostrom.games.battery.scores.risk import risk_errors
from ostrom.games.battery.scores.theories import (
    DISCOUNTING,
    EXPECTED_UTILITY,
    EXPONENTIAL,
    Theory,
    exponential_by_amount,
)
from ostrom.games.battery.scores.time import choices_magnitude, points_magnitude
from ostrom.games.battery.subjects import theories as people

SEEDS = 10
TRUTHS = recovery().TRUTHS
NAMES = [truth.name for truth in TRUTHS]


@pytest.mark.parametrize("truth", TRUTHS, ids=NAMES)
def test_without_noise_parameters_are_found_to_a_two_hundredth(truth) -> None:
    found = recovery().recover(truth, 0.0, 2)
    assert np.max(np.abs(found.values - truth.values)) < 0.005
    assert np.all(found.covered)
    assert not np.any(found.penalised)


@pytest.mark.slow
def test_with_noise_intervals_cover_and_penalties_are_rare() -> None:
    found = [recovery().recover(truth, noise, SEEDS) for truth in TRUTHS for noise in (0.03, 0.1)]
    covered = np.concatenate([one.covered.ravel() for one in found])
    # Of 200 intervals 95 % cover, give or take 1.5 %: four of these are six points.
    assert 0.89 < np.mean(covered) <= 0.995
    # Only of exponential subjects does the test have its nominal size; of others it rejects less.
    penalised = [one.penalised for one in found if one.truth.names == ("δ",)]
    assert np.mean(np.concatenate(penalised)) <= 0.15
    for one in found:
        assert np.mean(one.covered, axis=0) == pytest.approx(1, abs=0.41)
        error = one.values - one.truth.values
        assert np.all(np.sqrt(np.mean(error**2, axis=0)) < 0.5 * one.noise)
        # Honest subjects stay far from losing their score.
        assert one.refused <= 0.10
        assert one.random <= 0.30


def test_least_squares_takes_present_bias_for_impatience() -> None:
    run = recovery().play_time(people.QuasiHyperbolic(beta=0.7, delta=0.95), 0, 1, 1)
    delta = recovery().published_delta(recovery().time_points(run, 0))
    assert delta.value == pytest.approx(0.838, abs=0.001)
    choices = recovery().time_choices(run, 0)
    fits = [fit_theory(model, choices) for model in DISCOUNTING]
    assert min(fits, key=lambda one: one.bic).model == "quasi-hyperbolic"


@pytest.mark.parametrize(("delta", "noise"), [(0.9, 0.0), (0.9, 0.1)])
def test_the_simplest_theory_that_explains_the_choices_has_the_least_bic(delta: float, noise: float) -> None:
    choices = recovery().time_choices(recovery().play_time(people.Exponential(delta=delta), noise, 1, 1), 0)
    fits = [fit_theory(model, choices) for model in DISCOUNTING]
    assert min(fits, key=lambda one: one.bic).model == "exponential"


@pytest.mark.parametrize("noise", [0.0, 0.03, 0.1])
def test_the_magnitude_effect_costs_five_points(noise: float) -> None:
    run = recovery().play_time(people.Magnitude(), noise, 1, 1)
    choices = recovery().time_choices(run, 0)
    found = choices_magnitude(choices)
    assert found.penalty.value == pytest.approx(5)
    assert [one.value for one in found.deltas] == pytest.approx([0.75, 0.85, 0.95], abs=0.005 + noise / 4)
    if noise == 0:
        assert points_magnitude(recovery().time_points(run, 0)).penalty.value == pytest.approx(5)


def test_points_alone_show_no_false_magnitude_effect() -> None:
    run = recovery().play_time(people.Exponential(delta=0.9), 0, 1, 1)
    assert points_magnitude(recovery().time_points(run, 0)).penalty.value == 0


@pytest.mark.parametrize("r", [-0.5, 0.0, 0.5, 0.8])
def test_expected_utility_has_no_error_of_its_own(r: float) -> None:
    run = recovery().play_risk(people.ExpectedUtility(r=r), 0, 1, 1)
    found = risk_errors(recovery().risk_points(run, 0))
    assert found.expected_utility.value <= 1
    assert found.m == pytest.approx(0.5 ** (1 - r), abs=0.005)
    if r >= 0.5:
        assert found.expected_value.value == pytest.approx(16, abs=3)


def test_prospect_theory_errs_either_way() -> None:
    found = risk_errors(recovery().risk_points(recovery().play_risk(people.Prospect(), 0, 1, 1), 0))
    assert found.expected_value.value == pytest.approx(14.6, abs=0.1)
    assert found.expected_utility.value == pytest.approx(13.5, abs=0.1)


def _noisy(model: Theory) -> ChoiceCounts:
    if model is EXPECTED_UTILITY:
        return recovery().risk_choices(recovery().play_risk(people.ExpectedUtility(r=0.5), 0.1, 1, 3), 0)
    return recovery().time_choices(recovery().play_time(people.QuasiHyperbolic(beta=0.8, delta=0.8), 0.1, 1, 3), 0)


@pytest.mark.parametrize(
    "model",
    [*DISCOUNTING, exponential_by_amount(3), EXPECTED_UTILITY],
    ids=lambda m: m.name,
)
def test_the_fit_is_the_maximum_that_a_general_optimiser_finds(model: Theory) -> None:
    choices = _noisy(model)

    def loss(place):
        index = model.advantage(place[np.newaxis, :-1], choices.features).value[0] / np.exp(place[-1])
        return -np.sum(choices.chosen * index - choices.answers * np.logaddexp(0, index))

    found = fit(model, choices)
    start = np.append(found.parameters[0], np.log(found.noise[0]))
    best = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 4000})
    assert found.likelihood[0] == pytest.approx(-best.fun, abs=1e-4)
    assert found.parameters[0] == pytest.approx(best.x[:-1], abs=2e-4)


def test_choices_with_an_error_are_not_explained() -> None:
    choices = recovery().time_choices(recovery().play_time(people.Exponential(delta=0.9), 0, 1, 1), 0)
    assert exact_fit(EXPONENTIAL, choices) is not None
    chosen = choices.chosen.copy()
    chosen[0] = 1 if choices.chosen[0] == 0 else 2
    spoilt = ChoiceCounts(choices.features, chosen, choices.answers, choices.cluster, choices.clusters)
    assert exact_fit(EXPONENTIAL, spoilt) is None
    found = fit_theory(EXPONENTIAL, spoilt)
    assert found.noise > 0
    assert found.parameters[0].value == pytest.approx(0.9, abs=0.005)
