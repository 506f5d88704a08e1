"""The risk task: the grid of lotteries, the axes, and indifference by the published formulas."""

from collections import Counter

import pytest

from games.battery.interviews import expecting, interview, items, sequences
from ostrom.core import Fault
from ostrom.games.battery.risk import RiskRules
from ostrom.players.base import NoAnswer

ONE = RiskRules(references=((3, 4, 5),), retest=0, reversals=0, dominance=0, triples=0)
"""A single sequence."""


def expected_q(reference, axis, m):
    """Return the point of indifference of a maximiser of expected utility with u = (0, m, 1)."""
    worth = reference[2] + m * reference[1]
    q = (worth - m) / (1 - m) if axis == "y" else (m - worth) / m
    return min(max(q, 0), 1)


def test_the_grid_of_twelve_divisions_has_55_lotteries_inside_and_11_on_the_hypotenuse():
    lotteries = RiskRules().lotteries
    assert len(set(lotteries)) == 66
    assert all(sum(parts) == 12 and parts[0] >= 1 and parts[2] >= 1 for parts in lotteries)
    assert Counter(parts[1] == 0 for parts in lotteries) == {False: 55, True: 11}


@pytest.mark.parametrize("m", [0.25, 0.5, 0.71, 0.9])
def test_indifference_of_an_expected_utility_maximiser_follows_the_formulas(m):
    for event in sequences(interview("risk", expecting(m))):
        reference = event.facts["reference"]
        worth = reference[2] + m * reference[1]
        assert event.axis == ("y" if worth > m else "x")
        assert event.value == pytest.approx(expected_q(reference, event.axis, m), abs=2**-10)


def test_the_steps_on_y_by_hand():
    match = interview("risk", expecting(0.5), ONE)
    asked = {event.step: event for event in items(match)}
    others = [asked[step].facts["other"] for step in range(6)]
    assert others == [[0, 1, 0], [0, 0, 1], [0, 0.5, 0.5], [0, 0.75, 0.25], [0, 0.875, 0.125], [0, 0.8125, 0.1875]]
    assert asked[0].detail == {"q": 0}
    assert asked[3].detail == {"axis": "y", "q": 0.25}
    assert asked[0].facts["reference"] == [3 / 12, 4 / 12, 5 / 12]
    assert asked[0].facts["outcomes"] == [0, 500, 1000]
    (sequence,) = sequences(match)
    assert (sequence.axis, sequence.condition) == ("y", "reference=3/12,4/12,5/12")
    assert sequence.value == pytest.approx((583.3333 - 500) / 500, abs=2**-11)


def test_on_x_the_other_lottery_mixes_the_middle_and_the_worst_outcome():
    match = interview("risk", expecting(0.9), ONE)
    others = {event.step: event.facts["other"] for event in items(match)}
    assert (others[1], others[2], others[3]) == ([1, 0, 0], [0.5, 0.5, 0], [0.25, 0.75, 0])
    assert all(sum(other) == 1 for other in others.values())


def test_the_first_question_picks_the_axis_and_is_asked_before_the_far_end():
    steps = [event.step for event in items(interview("risk", expecting(0.5), ONE))]
    assert steps == [step for step in range(12) for _ in range(3)]


@pytest.mark.parametrize(
    ("choice", "axis", "reason"),
    [
        ("reference", "y", "preferred the reference to the best outcome for sure"),
        ("other", "x", "preferred the worst outcome to the reference for sure"),
    ],
)
def test_without_a_reversal_the_sequence_is_censored(choice, axis, reason):
    (sequence,) = sequences(interview("risk", lambda question: choice, ONE))
    assert (sequence.outcome, sequence.value, sequence.axis) == ("censored", 1.0, axis)
    assert (sequence.reason, sequence.answers) == (reason, 6)


def test_without_a_majority_the_sequence_is_invalid():
    def script(question):
        if question.view.step == 0 and question.view.repetition < 3:
            raise NoAnswer(Fault.EMPTY, "")
        return "reference"

    (sequence,) = sequences(interview("risk", script, ONE))
    assert (sequence.outcome, sequence.value, sequence.axis, sequence.answers) == ("invalid", None, None, 3)


def test_the_dominant_lottery_has_more_of_the_better_at_every_level():
    match = interview("risk", expecting(0.5))
    for event in items(match, "dominance"):
        dominant = event.facts[event.detail["dominant"]]
        (name,) = {"reference", "other"} - {event.detail["dominant"]}
        dominated = event.facts[name]
        assert dominant[2] >= dominated[2]
        assert dominant[0] <= dominated[0]
        assert dominant != dominated
        assert event.answer == event.detail["dominant"]
    assert {event.detail["dominant"] for event in items(match, "dominance")} == {"reference", "other"}


def test_every_pair_of_a_triple_is_asked_once():
    match = interview("risk", expecting(0.52))
    pairs = Counter(tuple(event.detail["elements"].values()) for event in items(match, "transitivity"))
    assert pairs == {("a", "b"): 3, ("b", "c"): 3, ("a", "c"): 3}
