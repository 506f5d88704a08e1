"""The order and labels of options: balanced exactly, and drawn from recorded chance."""

from collections import Counter
from itertools import pairwise

import pytest

from games.battery.interviews import discounting, interview, items, valid
from ostrom.core import GameChance, LoggedChance
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.items import deal_ways, random_order, show_options
from ostrom.games.battery.stated import TASKS

FULL, QUICK = load_protocol("full"), load_protocol("quick")
CHOICES = ("ultimatum", "stag_hunt", "centipede", "matching_pennies", "loss", "ambiguity")


def sides(event, option):
    """Return whether an option is shown first, and whether it is called A."""
    place = event.options.index(option)
    return place == 0, event.labels[place] == "A"


@pytest.mark.parametrize("task", CHOICES)
def test_within_every_cell_each_option_is_first_and_called_a_as_often_as_the_other(task):
    cells = {}
    for event in items(interview(task, valid, FULL[task])):
        if event.options:
            cells.setdefault(event.condition, []).append(sides(event, min(event.options)))
    assert cells
    for shown_as in cells.values():
        assert sum(first for first, _ in shown_as) * 2 == len(shown_as)
        assert sum(called for _, called in shown_as) * 2 == len(shown_as)


@pytest.mark.parametrize(
    ("task", "script", "option", "count"),
    [("matching_pennies", valid, "heads", 25), ("time", discounting(0.9), "sooner", 9)],
)
def test_each_of_the_four_ways_is_used_equally_often_in_every_condition(task, script, option, count):
    ways = Counter((event.condition, sides(event, option)) for event in items(interview(task, script), "score"))
    assert len(ways) == 4 * len({condition for condition, _ in ways})
    assert set(ways.values()) == {count}


def test_the_order_that_prevails_among_three_askings_changes_from_step_to_step():
    for way in range(4):
        prevailing = [
            sum(show_options(("x", "y"), way, 3 * step + one).options[0] == "x" for one in range(3)) > 1
            for step in range(12)
        ]
        assert all(one is not other for one, other in pairwise(prevailing))


def test_mirrored_the_other_option_is_first_under_the_same_labels():
    for way in range(4):
        for asking in range(4):
            plain = show_options(("x", "y"), way, asking)
            mirrored = show_options(("x", "y"), way, asking, mirrored=True)
            assert mirrored.options == plain.options[::-1]
            assert mirrored.labels == plain.labels[::-1]


@pytest.mark.parametrize("count", [0, 1, 3, 4, 10, 72])
def test_ways_are_dealt_evenly(count):
    counts = Counter(deal_ways(GameChance(3), count))
    assert sum(counts.values()) == count
    assert max((counts[way] for way in range(4)), default=0) - min(counts[way] for way in range(4)) <= 1


@pytest.mark.parametrize("task", TASKS)
def test_one_seed_gives_one_order_of_asking_and_another_seed_another_one(task):
    first, again, other = (interview(task, valid, QUICK[task], seed) for seed in (1, 1, 2))
    assert first.events == again.events
    assert [event.condition for event in items(first)] != [event.condition for event in items(other)]
    assert [event.number for event in items(first)] == list(range(1, len(items(first)) + 1))


def test_the_order_of_asking_is_not_that_of_the_grid():
    conditions = [event.condition for event in items(interview("dictator", valid))]
    assert conditions != sorted(conditions)
    assert Counter(conditions) == {"pot=10": 10, "pot=100": 10, "pot=1000": 10}


def test_an_order_that_was_logged_elsewhere_serves_as_chance():
    assert random_order(LoggedChance({("items", 1): (2, 0, 1)}), "abc", "items", 1) == ["c", "a", "b"]
    assert random_order(LoggedChance({}), "abc", "items", 1) == ["a", "b", "c"]
