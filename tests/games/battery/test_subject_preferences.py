"""Choices by theories of time and risk, by hand."""

import pytest

from games.battery.interviews import ask
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.risk import RiskFacts, weight
from ostrom.games.battery.subjects import subject_of
from ostrom.games.battery.time import TimeFacts

YEAR = 365.0


def now_or_later(name, sooner, later=100.0, days=YEAR, front=0.0, **more):
    facts = TimeFacts(sooner, front, later, front + days)
    return ask(name, "time", "chooser", facts, options=("sooner", "later"), **more)


def lottery(name, reference, other, **more):
    facts = RiskFacts(reference, other)
    return ask(name, "risk", "chooser", facts, options=("reference", "other"), **more)


THRESHOLDS = {
    "exponential:delta=0.9": 90.0,
    "exponential:delta=0.7": 70.0,
    "quasi-hyperbolic:beta=0.7,delta=0.95": 66.5,
    "hyperbolic:k=0.5": 100 / 1.5,
    "magnitude": 85.0,
    "expected-utility:r=0.8,delta=0.95": 95.0,
    "prospect": 95.0,
    "fehr-schmidt": 95.0,
}
"""The present value of 100 in a year."""


@pytest.mark.parametrize("name", THRESHOLDS)
def test_an_amount_in_a_year_is_discounted_by_the_theory(name):
    assert now_or_later(name, THRESHOLDS[name] - 0.01) == "later"
    assert now_or_later(name, THRESHOLDS[name] + 0.01) == "sooner"


def test_present_bias_is_gone_when_both_amounts_lie_ahead():
    assert now_or_later("quasi-hyperbolic:beta=0.7,delta=0.95", 90.0) == "sooner"
    assert now_or_later("quasi-hyperbolic:beta=0.7,delta=0.95", 90.0, front=30.42) == "later"


@pytest.mark.parametrize(("stake", "delta"), [(10.0, 0.75), (100.0, 0.85), (1000.0, 0.95)])
def test_large_amounts_are_discounted_less(stake, delta):
    assert now_or_later("magnitude", delta * stake * 0.999, later=stake) == "later"
    assert now_or_later("magnitude", delta * stake * 1.001, later=stake) == "sooner"


@pytest.mark.parametrize("name", ["exponential", "magnitude", "prospect", "level-k"])
def test_more_money_sooner_is_taken(name):
    assert now_or_later(name, 100.0, later=50.0) == "sooner"
    assert now_or_later(name, 0.0) == "later"


@pytest.mark.parametrize(("r", "m"), [(-0.5, 0.5**1.5), (0.0, 0.5), (0.5, 0.5**0.5), (0.8, 0.5**0.2)])
def test_expected_utility_is_indifferent_at_the_utility_of_the_middle_outcome(r, m):
    sure = (0.0, 1.0, 0.0)
    assert lottery(f"expected-utility:r={r}", (1 - m - 0.001, 0.0, m + 0.001), sure) == "reference"
    assert lottery(f"expected-utility:r={r}", (1 - m + 0.001, 0.0, m - 0.001), sure) == "other"


def test_a_subject_without_a_theory_of_risk_maximises_expected_value():
    assert lottery("exponential", (0.49, 0.0, 0.51), (0.0, 1.0, 0.0)) == "reference"
    assert lottery("exponential", (0.51, 0.0, 0.49), (0.0, 1.0, 0.0)) == "other"
    assert lottery("exponential", (0.5, 0.0, 0.5), (0.0, 1.0, 0.0)) == "reference", "of equals the first"


def test_prospect_theory_weighs_probabilities():
    # w(0.5) = 0.4206 and v(500) / v(1000) = 0.5^0.88 = 0.5434.
    subject = subject_of("prospect").make()
    assert weight(0.5, subject.gamma) == pytest.approx(0.42064, abs=1e-5)
    assert weight(0.1, subject.gamma) == pytest.approx(0.18632, abs=1e-4)
    assert subject.valued((0.5, 0.0, 0.5), (0.0, 500.0, 1000.0)) == pytest.approx(0.42064, abs=1e-5)
    assert subject.valued((0.0, 1.0, 0.0), (0.0, 500.0, 1000.0)) == pytest.approx(0.5**0.88)
    both = subject.valued((0.2, 0.3, 0.5), (0.0, 500.0, 1000.0))
    half, most = weight(0.5, subject.gamma), weight(0.8, subject.gamma)
    assert both == pytest.approx(half + (most - half) * 0.5**0.88)


def test_prospect_theory_shows_the_common_ratio_effect_and_expected_utility_does_not():
    sure, gamble = (0.0, 1.0, 0.0), (0.3, 0.0, 0.7)
    low, high = (0.75, 0.25, 0.0), (0.825, 0.0, 0.175)
    for name, apart in (("prospect", True), ("expected-utility:r=0.5", False)):
        first = lottery(name, sure, gamble) == "reference"
        second = lottery(name, low, high) == "reference"
        assert (first != second) is apart, name


@pytest.mark.parametrize(("name", "ratio"), [("exponential", 1.0), ("prospect", 2.25 ** (1 / 0.88))])
def test_even_bets_are_taken_above_the_ratio_of_loss_aversion(name, ratio):
    for gain, expected in ((100 * ratio * 0.99, "reject"), (100 * ratio * 1.01, "accept")):
        assert ask(name, "loss", "chooser", LossFacts(gain, 100.0), options=("accept", "reject")) == expected


def test_an_unknown_chance_is_worth_a_half_less_the_premium():
    def chosen(name, known):
        return ask(name, "ambiguity", "chooser", AmbiguityFacts(100.0, known), options=("known", "unknown"))

    assert [chosen("exponential", known) for known in (0.49, 0.5, 0.51)] == ["unknown", "known", "known"]
    assert [chosen("prospect:ambiguity=0.1", known) for known in (0.39, 0.41)] == ["unknown", "known"]


@pytest.mark.parametrize(("noise", "sooner"), [(0.03, 88.0), (0.1, 95.0), (0.1, 80.0)])
def test_noise_follows_the_logit_rule_on_value_over_the_larger_amount(noise, sooner):
    from scipy.stats import binom, logistic

    answers = [now_or_later(f"exponential:delta=0.9,noise={noise}", sooner, turn=turn) for turn in range(1, 1501)]
    chance = logistic.cdf((sooner - 90) / 100 / noise)
    low, high = binom.ppf([0.0005, 0.9995], len(answers), chance)
    assert low <= answers.count("sooner") <= high


def test_noise_does_not_depend_on_the_stake():
    name = "exponential:delta=0.9,noise=0.05"
    small = [now_or_later(name, 8.8, later=10.0, turn=turn) for turn in range(1, 101)]
    large = [now_or_later(name, 880.0, later=1000.0, turn=turn) for turn in range(1, 101)]
    assert small == large
    assert {"sooner", "later"} == set(small)


def test_without_noise_nothing_is_left_to_chance():
    answers = {now_or_later("exponential", 89.0, turn=turn, seed=seed) for turn in range(1, 20) for seed in range(5)}
    assert answers == {"later"}
