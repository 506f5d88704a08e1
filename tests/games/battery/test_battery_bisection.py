"""Majorities and halvings, by hand and for every threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.games.battery.adaptive import NoMajority, SequenceOutcome, SequencePoint, bisect, majority
from ostrom.games.battery.risk import decimals


@pytest.mark.parametrize(
    ("answers", "choice"),
    [
        (["sooner", "later", "sooner"], "sooner"),
        (["later", "later", "later"], "later"),
        (["later", None, "later"], "later"),
        (["later"], "later"),
    ],
)
def test_the_majority_is_more_than_half_of_the_askings(answers, choice):
    assert majority(answers) == choice


@pytest.mark.parametrize(
    ("answers", "valid"),
    [
        ([None, None, None], 0),
        ([None, "later", None], 1),
        (["sooner", "later", None], 2),
        ([None], 0),
        (["a", "a", "b", "b", None], 4),
    ],
)
def test_an_error_without_a_majority_counts_the_valid_answers(answers, valid):
    with pytest.raises(NoMajority, match=f"^no majority: {valid} of {len(answers)} answers valid$"):
        majority(answers)


def search_for(threshold, halvings=10):
    """Return the points that a subject is asked who chooses the high end from the threshold on, and the outcome."""
    search = bisect(halvings, lambda step, place: SequencePoint(step, place, {}), "high")
    points, (point,) = [], next(search)
    while True:
        points.append(point.facts)
        try:
            (point,) = search.send(["high" if point.facts >= threshold else "low"])
        except StopIteration as over:
            return points, over.value


def test_an_interval_is_halved_towards_the_end_that_is_not_chosen():
    assert search_for(0.3, 1) == ([0.5], SequenceOutcome("point", 0.25))
    assert search_for(0.7, 2) == ([0.5, 0.75], SequenceOutcome("point", 0.625))


@given(st.floats(0, 1, exclude_min=True))
def test_ten_halvings_find_every_threshold_to_a_2048th(threshold):
    points, ending = search_for(threshold)
    low = max((point for point in points if point < threshold), default=0.0)
    high = min((point for point in points if point >= threshold), default=1.0)
    assert high - low == 2**-10
    assert ending == SequenceOutcome("point", (low + high) / 2)
    assert abs(ending.value - threshold) <= 2**-11


@pytest.mark.parametrize(("halvings", "shown"), [(10, 4), (1, 4), (20, 7), (50, 16)])
def test_probabilities_are_shown_finely_enough_for_every_step(halvings, shown):
    assert decimals(halvings) == shown
    assert 0.5 * 10**-shown < 1 / 2 ** (halvings + 1)
