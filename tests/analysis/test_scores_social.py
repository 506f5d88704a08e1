"""Social scores: by hand, of subjects with known preferences, and of random subjects."""

import numpy as np
import pytest
from battery_answers import Scores, asked, item
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from ostrom.games.battery.charts.data import acceptance, returns
from ostrom.games.battery.scores.social import first_accepted

TASKS = ("dictator", "ultimatum", "trust")


def dictator(*shares, pot=10.0):
    facts = {"pot": pot, "unit": 0.01}
    return [item("dictator", "giver", facts, share * pot, condition=f"{n}") for n, share in enumerate(shares)]


def proposals(*shares, pot=10.0):
    return [
        item("ultimatum", "proposer", {"pot": pot}, share * pot, condition=f"p{n}") for n, share in enumerate(shares)
    ]


def responses(choices, pot=100.0):
    return [
        item(
            "ultimatum",
            "responder",
            {"pot": pot, "offer": float(offer)},
            choice,
            condition=f"offer={offer}",
            options=("accept", "reject"),
        )
        for offer, answers in choices.items()
        for choice in answers
    ]


def test_definitions_by_hand():
    a, r = "accept", "reject"
    returner = [
        item("trust", "returner", {"endowment": 10.0, "multiplier": 3.0, "sent": s, "received": 3 * s}, back)
        for s, back in ((0.0, 0.0), (5.0, 3.0), (10.0, 15.0))
    ]
    sender = [item("trust", "sender", {"endowment": 10.0, "multiplier": 3.0}, sent) for sent in (4.0, 8.0)]
    tasks = {
        "dictator": dictator(0.2, 0.4),
        "ultimatum": proposals(0.4, 0.5) + responses({0: [r, r], 20: [r, a], 40: [a, a], 50: [a, a]}),
        "trust": sender + returner,
    }
    result = Scores(tasks)
    assert result.dictator.value == pytest.approx(30)
    assert result.offer.value == pytest.approx(45)
    assert result.altruism.value == pytest.approx(75), "(30 + 45) / 2 / 50"
    assert result.fairness.value == pytest.approx(50), "3 of 6 offers under half"
    assert result.fairness_positive.value == pytest.approx(25), "1 of 4"
    assert result.trust.value == pytest.approx(60)
    assert result.reciprocity.value == pytest.approx(35), "(20 + 50) / 2; nothing sent is left out"
    assert result.social.value == pytest.approx((75 + 50 + 60 + 35) / 4)
    assert result.minimum_acceptable.value == 20, "accepted by half"
    assert acceptance(result.subject).select("offer", "accepted").rows() == [
        (0, 0),
        (20, 50),
        (40, 100),
        (50, 100),
    ]
    assert returns(result.subject).select("sent", "returned").rows() == [(50, 20), (100, 50)]


def test_altruism_is_at_most_100():
    assert Scores({"dictator": dictator(0.9), "ultimatum": proposals(0.6)}).altruism.value == 100


def test_without_the_trust_game_the_social_score_is_of_two():
    result = Scores(asked("fehr-schmidt", "dictator", "ultimatum"))
    assert result.trust.reason == "it was not asked"
    assert result.social.value == pytest.approx((result.altruism.value + result.fairness.value) / 2)


def test_without_the_dictator_game_there_is_no_altruism():
    result = Scores(asked("fehr-schmidt", "ultimatum"))
    assert result.altruism.value is None
    assert result.altruism.reason == "dictator: it was not asked"
    assert result.social.value is None
    assert result.fairness.value is not None


@pytest.mark.parametrize(("alpha", "least"), [(0.0, 0), (0.25, 20), (0.5, 25), (1.0, 35), (4.0, 45)])
def test_the_minimum_acceptable_offer_of_fehr_schmidt_is_found_on_the_grid(alpha, least):
    result = Scores(asked(f"fehr-schmidt:alpha={alpha},beta=0.6", "ultimatum", protocol="full"))
    threshold = 100 * alpha / (1 + 2 * alpha)
    assert result.minimum_acceptable.value == least
    assert least - 5 < threshold <= least
    assert result.minimum_acceptable.low <= least <= result.minimum_acceptable.high
    assert result.fairness.value == pytest.approx(100 * (least / 5) / 10)


def test_a_noisy_acceptance_curve_rises_by_isotonic_regression():
    result = Scores(asked("fehr-schmidt:alpha=1,beta=0.6,noise=0.1", "ultimatum"))
    levels = acceptance(result.subject)["isotonic"].to_list()
    assert levels == sorted(levels)
    assert result.minimum_acceptable.value == pytest.approx(100 / 3, abs=7)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9))
def test_the_first_accepted_offer_is_where_the_isotonic_curve_reaches_a_half(answers):
    counts, taken = (
        np.array(column, dtype=float) for column in zip(*((n, min(k, n)) for n, k in answers), strict=True)
    )
    offers = 10.0 * np.arange(len(counts))
    asked = counts > 0
    if not asked.any():
        assert np.isnan(first_accepted(offers, counts[None], taken[None]))
        return
    curve = isotonic_regression(taken[asked] / counts[asked], weights=counts[asked]).x
    reached = offers[asked][curve >= 0.5 - 1e-9]
    expected = reached[0] if len(reached) else np.nan
    both = first_accepted(offers, np.stack([counts, counts * 2]), np.stack([taken, taken * 2]))
    assert np.array_equal(both, [expected, expected], equal_nan=True)


def test_who_never_accepts_has_no_minimum():
    result = Scores({"ultimatum": responses({0: ["reject"] * 4, 20: ["reject"] * 4})})
    assert result.minimum_acceptable.reason == "no offer is accepted half of the time"


def test_known_subjects_get_their_known_scores():
    fair = Scores(asked("fehr-schmidt:alpha=1,beta=0.6", *TASKS))
    assert (fair.altruism.value, fair.trust.value) == (100, 100)
    assert fair.reciprocity.value == pytest.approx(100 * (0 + 1 / 4 + 7 / 18 + 11 / 24 + 1 / 2) / 5)
    selfish = Scores(asked("selfish", *TASKS))
    assert selfish.social.value == 0
    conditional = Scores(asked("conditional-cooperator:belief=0.6", *TASKS))
    assert conditional.trust.value == pytest.approx(60)
    assert conditional.reciprocity.value == pytest.approx(30)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("random", "random"),
        ("always-a", "labelled A"),
        ("always-first", "shown first"),
        ("constant", "constant"),
        ("refuser", "refused 100 %"),
        ("malformed", "malformed 100 %"),
    ],
)
@pytest.mark.parametrize("protocol", ["full", "quick"])
def test_who_has_no_preferences_has_no_social_score(name, reason, protocol):
    result = Scores(asked(name, *TASKS, protocol=protocol))
    assert result.social.value is None
    assert result.fairness.value is None or name == "constant"
    unread = name in ("random", "constant", "refuser", "malformed")
    assert (result.altruism.value is None) == unread, "who prefers an option reads the offers' numbers all the same"
    assert reason in result.social.reason


def test_too_few_valid_answers_are_told():
    facts = {"pot": 10.0, "unit": 0.01}
    good = [item("dictator", "giver", facts, 5.0, condition=f"{n}") for n in range(95)]
    bad = [item("dictator", "giver", facts, None, condition=f"{n}", fault="refused") for n in range(6)]
    result = Scores({"dictator": good + bad})
    assert result.dictator.value is None
    assert result.dictator.reason == "5.94 % of the answers are invalid (refused 5.94 %); the limit is 5 %"
    few = Scores({"dictator": good + bad[:1]})
    assert few.dictator.reason == "only 50 % of the answers are valid in '0'; the minimum is 80 %"
    assert Scores({"dictator": good}).dictator.value == 50


def test_intervals_come_from_repetitions_and_not_from_conditions():
    apart = dictator(0.1, 0.2, 0.3, 0.6)
    once, agreeing = Scores({"dictator": apart}).dictator, Scores({"dictator": apart * 3})
    assert (once.value, once.low) == (pytest.approx(30), None)
    assert "answered once" in once.reason
    assert agreeing.dictator.low == agreeing.dictator.high == agreeing.dictator.value
    other = dictator(0.2, 0.2, 0.2, 0.6)
    both = Scores({"dictator": apart + other}).dictator
    assert both.low < both.value < both.high
    # Cells have variances of 50, 0, 50 and 0 of two answers each: 200 / 64, with two degrees of freedom.
    middle, half = (both.low + both.high) / 2, (both.high - both.low) / 2
    assert (middle, half) == pytest.approx((30, 4.3027 * (200 / 64) ** 0.5), rel=0.02)


def test_the_interval_of_a_minimum_holds_what_no_exact_test_rejects():
    choices = {20: 8 * ["reject"], 30: 5 * ["accept"] + 3 * ["reject"], 40: 8 * ["accept"], 50: 8 * ["accept"]}
    result = Scores({"ultimatum": responses(choices)}).minimum_acceptable
    assert (result.value, result.low, result.high) == (30, 30, 40), (
        "5 of 8 may be less than half; 0 of 8 may not be half"
    )
