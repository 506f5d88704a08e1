"""From events to the score: subjects that were asked item by item."""

from dataclasses import replace

import numpy as np
import pytest
from simulated import events, recovery, tasks

from coverage_parts import part
from ostrom.games.battery.scores.answers import diagnostics, refusal
from ostrom.games.battery.scores.logit import ChoiceCounts, fit_theory
from ostrom.games.battery.scores.modes import fit_modes
from ostrom.games.battery.scores.replicates import Answering, Sequences, fit_answering
from ostrom.games.battery.scores.risk import risk_choices
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.scores.theories import DISCOUNTING
from ostrom.games.battery.scores.time import least_bic, time_choices, time_points, time_scores
from ostrom.games.battery.subjects import theories as people
from ostrom.games.battery.tables import answers_table, sequences_table

WITHOUT = {
    "random": "random",
    "always-a": "labelled A",
    "always-first": "shown first",
    "constant": "constant",
    "refuser": "refused",
    "malformed": "malformed",
}


@pytest.mark.parametrize("protocol", [pytest.param("full", marks=pytest.mark.slow), "quick"])
@pytest.mark.parametrize(("subject", "word"), WITHOUT.items())
def test_subjects_that_do_not_answer_the_question_get_no_score(subject: str, word: str, protocol: str) -> None:
    found = SubjectScores("a", tasks(subject, protocol))
    for score in (found.scores["rationality"], found.scores["rationality_published"]):
        assert score.value is None
        assert score.low is None
        assert word in (score.reason or "")
    assert found.time.delta.value is None
    assert found.risk.errors.expected_utility.value is None


@pytest.mark.slow
def test_a_consistent_subject_scores_by_hand() -> None:
    found = SubjectScores("a", tasks("expected-utility:r=0.5,delta=0.9"))
    assert found.scores["rationality"].value == pytest.approx(0.5 * 90 + 0.5 * 100, abs=0.1)
    assert found.scores["rationality_published"].value == pytest.approx(0.5 * 90 + 0.5 * (100 - 13.3), abs=0.1)
    assert found.time.best.model == "exponential"
    assert found.risk.fit.parameters[0].value == pytest.approx(0.5**0.5, abs=0.005)
    for one in (found.time.diagnostics, found.risk.diagnostics):
        for share in (one.dominance, one.transitivity, one.retest, one.reversed, one.invalid):
            assert share.value == 0


def test_the_magnitude_subject_is_penalised() -> None:
    found = time_scores(events("magnitude", "time"))
    assert found.magnitude.penalty.value == pytest.approx(5)
    assert found.magnitude.p_value < 0.05


def test_a_penalty_that_is_not_shown_has_no_interval() -> None:
    penalty = time_scores(events("exponential:delta=0.9,noise=0.03", "time")).magnitude.penalty
    assert (penalty.value, penalty.low, penalty.high) == (0, None, None)
    assert "does not prove that there is none" in (penalty.reason or "")


def answering_of(run: Sequences) -> tuple[ChoiceCounts, Answering]:
    choices = replace(recovery().time_choices(run, 0), names=np.arange(len(recovery().time_grid())))
    best = least_bic([fit_theory(theory, choices) for theory in DISCOUNTING])
    assert best is not None
    stakes = choices.features[3][np.unique(choices.cluster, return_index=True)[1]].astype(np.int64)
    return choices, fit_answering(best, choices, stakes)


@pytest.mark.parametrize("whole", [False, True])
def test_a_subject_with_two_modes_has_an_interval_that_spans_their_variation(whole: bool) -> None:
    run = part("battery").play_modes((0.7, 0.95), 0.03, 3, whole=whole)
    modes = fit_modes(*answering_of(run))
    assert modes is not None
    assert modes.by_sequence == whole
    score = part("battery").time_scores(run, 0).delta.score
    assert score.high - score.low > 0.05


def test_noise_that_depends_on_the_stake_is_estimated_by_stake() -> None:
    noises = part("battery").by_stake(0.1, 0.03, 0.01)
    choices, answering = answering_of(part("battery").play_modes((0.8,), noises, 3))
    assert fit_modes(choices, answering) is None
    assert np.allclose(answering.noise / noises, 1, atol=0.5)
    alike = answering_of(part("battery").play_modes((0.8,), 0.03, 3))[1]
    assert np.ptp(alike.noise) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "subject",
    [
        "exponential:delta=0.7,noise=0.1",
        "quasi-hyperbolic:noise=0.1",
        "hyperbolic:k=0.5,noise=0.1",
        "expected-utility:r=-0.5,noise=0.1",
        "expected-utility:r=0.8,noise=0.1",
    ],
)
def test_no_honest_subject_loses_its_score(subject: str) -> None:
    for task in ("time", "risk"):
        answers, sequences = (table(events(subject, task), task) for table in (answers_table, sequences_table))
        found = diagnostics(answers, sequences, task)
        assert found.first.value == pytest.approx(0.5, abs=0.06)
        assert found.label_a.value == pytest.approx(0.5, abs=0.06)
        assert (found.random.value or 0) < 0.3
        assert refusal(answers, sequences, found, task) is None


def test_a_task_that_was_not_asked_is_named() -> None:
    found = SubjectScores("a", {"time": events("exponential", "time", "quick")})
    assert found.scores["rationality"].value is None
    assert "risk: it was not asked" in (found.scores["rationality"].reason or "")
    assert found.time.delta.value is not None


@pytest.mark.slow
def test_points_without_answers_have_scores_too() -> None:
    only = {
        task: [event for event in found if event["event"] == "sequence_ended"]
        for task, found in tasks("exponential:delta=0.9").items()
    }
    found = SubjectScores("a", only)
    assert found.scores["rationality"].value == pytest.approx(95, abs=0.1)
    assert found.time.fits == ()


@pytest.mark.parametrize("subject", ["exponential:delta=0.7", "quasi-hyperbolic", "hyperbolic:k=0.5", "magnitude"])
def test_generator_and_simulation_find_the_same_points_in_time(subject: str) -> None:
    theory = {
        "exponential:delta=0.7": people.Exponential(delta=0.7),
        "quasi-hyperbolic": people.QuasiHyperbolic(beta=0.7, delta=0.95),
        "hyperbolic:k=0.5": people.Hyperbolic(k=0.5),
        "magnitude": people.Magnitude(),
    }[subject]
    asked = time_points(sequences_table(events(subject, "time"), "time"))
    simulated = recovery().time_points(recovery().play_time(theory, 0, 1, 1), 0)
    order, other = (np.lexsort((one.front, one.years, one.amount)) for one in (asked, simulated))
    assert asked.ratio[order] == pytest.approx(simulated.ratio[other], abs=1.1 / 1024)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["time", "risk"])
def test_generator_and_simulation_agree_in_distribution(task: str) -> None:
    noise, seeds = 0.1, 5
    table = {"time": time_choices, "risk": risk_choices}[task]
    asked = [
        table(answers_table(events(f"exponential:delta=0.7,noise={noise}", task, "full", seed), task))
        for seed in range(1, seeds + 1)
    ]
    if task == "time":
        run = recovery().play_time(people.Exponential(delta=0.7), noise, 200, 1)
    else:
        run = recovery().play_risk(people.ExpectedUtility(r=0.0), noise, 200, 1)
    simulated = [(getattr(recovery(), f"{task}_choices"))(run, subject) for subject in range(200)]
    for figure in (lambda one: one.total, lambda one: np.sum(one.chosen) / one.total):
        ours, theirs = np.array([figure(one) for one in simulated]), np.array([figure(one) for one in asked])
        error = np.std(ours) / np.sqrt(seeds)
        assert np.mean(theirs) == pytest.approx(np.mean(ours), abs=4 * error)
