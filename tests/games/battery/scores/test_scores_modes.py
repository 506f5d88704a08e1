"""Which subjects answer in several modes, so that a mixture of discount factors simulates the time task."""

import numpy as np
import pytest

from coverage_parts import part
from ostrom.games.battery.scores.logit import ChoiceCounts, fit_theory
from ostrom.games.battery.scores.modes import Modes, depends_on_question, fit_modes
from ostrom.games.battery.scores.replicates import Sequences, fit_answering
from ostrom.games.battery.scores.theories import EXPONENTIAL
from ostrom.games.battery.subjects.theories import Exponential, Magnitude

RUNS = 3


def _choices(run: Sequences) -> list[ChoiceCounts]:
    return [part("battery").time_task(run, subject).choices for subject in range(len(run.value))]


def _modes(choices: ChoiceCounts) -> Modes | None:
    return fit_modes(choices, fit_answering(fit_theory(EXPONENTIAL, choices), choices))


@pytest.mark.parametrize("delta", [pytest.param(0.7, marks=pytest.mark.slow), 0.9])
def test_one_discount_factor_with_noise_is_no_mixture(delta: float) -> None:
    run = part("battery").recovery.play_time(Exponential(delta=delta), 0.1, RUNS, 1)
    assert [_modes(choices) for choices in _choices(run)] == [None] * RUNS


def test_patience_that_depends_on_the_amount_is_no_mixture() -> None:
    run = part("battery").recovery.play_time(Magnitude(), 0.03, RUNS, 1)
    assert [_modes(choices) for choices in _choices(run)] == [None] * RUNS


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_two_modes_are_a_mixture(whole: bool) -> None:
    run = part("battery").play_modes((0.7, 0.95), 0.03, RUNS, whole=whole)
    for choices in _choices(run):
        modes = _modes(choices)
        assert modes is not None
        assert modes.by_sequence == whole
        assert np.exp(-modes.rates) @ modes.weights == pytest.approx(0.825, abs=0.06)


def test_factors_that_differ_between_amounts_depend_on_the_question() -> None:
    run = part("battery").recovery.play_time(Exponential(delta=0.9), 0.03, 1, 1)
    (choices,) = _choices(run)
    first = np.unique(choices.cluster, return_index=True)[1]
    drawn = np.random.default_rng(1).normal(0, 0.05, choices.clusters)
    assert not depends_on_question(drawn, choices)
    assert depends_on_question(drawn + 0.1 * choices.features[3][first], choices)
    assert depends_on_question(choices.features[3][first], choices)
    assert not depends_on_question(np.ones(choices.clusters), choices)
