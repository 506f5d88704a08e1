"""What the scores of a subject must not depend on: how often a task was asked, and in which order."""

import numpy as np
from battery_answers import asked

from ostrom.study.scores.bootstrap import drawn, drawn_by
from ostrom.study.scores.cooperation import cooperation_scores
from ostrom.study.scores.rationality import risk_scores, time_scores

SUBJECT = "exponential:delta=0.9,noise=0.03"


def test_a_task_that_was_asked_twice_keeps_its_triples_apart() -> None:
    events = [event for seed in (1, 2) for event in asked(SUBJECT, "time", seed=seed)["time"]]
    once = time_scores(asked(SUBJECT, "time", seed=1)["time"]).diagnostics.transitivity
    twice = time_scores(events).diagnostics.transitivity
    assert twice.value is not None
    assert once.high is not None
    assert twice.high is not None
    assert twice.high < once.high, "six triples say more than three"


def test_the_same_answers_again_are_no_further_conditions() -> None:
    time, risk = (asked(SUBJECT, task, seed=1)[task] for task in ("time", "risk"))
    assert time_scores(time + time).delta == time_scores(time).delta
    once, twice = risk_scores(risk).errors, risk_scores(risk + risk).errors
    for name in ("expected_value", "expected_utility"):
        first, second = getattr(once, name), getattr(twice, name)
        assert np.allclose([first.value, first.low, first.high], [second.value, second.low, second.high], rtol=1e-9)


def test_rows_of_one_condition_are_drawn_together() -> None:
    rows = drawn_by(["a", "b", "a", "c"])
    assert np.array_equal(rows[:, 0], rows[:, 2])
    assert np.array_equal(rows[:, [0, 1, 3]], drawn(3))


def test_intervals_do_not_depend_on_the_order_of_asking() -> None:
    events = asked("selfish", "stag_hunt", seed=1)["stag_hunt"]
    other = asked("selfish", "stag_hunt", seed=2)["stag_hunt"]
    assert [event.get("condition") for event in events] != [event.get("condition") for event in other]
    assert cooperation_scores({"stag_hunt": events}).stag == cooperation_scores({"stag_hunt": other}).stag
