"""Subjects that answer by habit or chance get no score, label or rank in any task; subjects with preferences keep
theirs, even if the same numbers could be a habit."""

from dataclasses import replace

import pytest

from coverage_parts import part
from ostrom.experiment.match import play_games
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.battery.scores.reading import control_fault
from ostrom.games.battery.scores.score import Code
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import SUBJECTS

EMPTY = part("subjects").EMPTY
"""The six that are registered, and those of the study."""


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The subjects of the study are registered for these tests alone."""
    monkeypatch.setattr(SUBJECTS, "_entries", dict(SUBJECTS._entries))
    part("subjects").register_subjects()


def scored(subject: str, *tasks: str, seed: int = 1) -> SubjectScores:
    events = {
        match.game.name.removeprefix("stated_"): [event.as_record() for event in match.events]
        for _, match in play_games(
            plan_battery(BatterySettings(subject=(subject,), protocol="quick", task=tuple(tasks), seed=seed)).fixtures()
        )
    }
    return SubjectScores(subject, events)


def values(one: SubjectScores) -> dict[str, object]:
    both = {**one.scores, **one.words}
    return {name: found.value for name, found in both.items() if found.value is not None}


# Six random numbers of one task may be a preference; all tasks together tell them apart.
@pytest.mark.parametrize("subject", [subject for subject in EMPTY if subject != "clever-random"])
def test_subjects_without_preferences_get_no_score_in_any_single_task(subject: str) -> None:
    assert {task: found for task in TASKS if (found := values(scored(subject, task)))} == {}


@pytest.mark.parametrize("subject", EMPTY)
def test_subjects_without_preferences_get_no_score_or_rank_over_all_tasks(subject: str) -> None:
    one = scored(subject)
    assert values(one) == {}
    assert one.label is None
    assert set(one.statics.values()) == {None}
    assert all(found.code for found in one.scores.values() if found.code != Code.NOT_ASKED)
    for name in ("acceptance", "returns", "guesses", "claims", "discount_curves"):
        assert TABLES[name][1]([one]).is_empty(), name
    assert TABLES["scores"][1]([one])["value"].is_null().all()


@pytest.mark.parametrize(
    ("subject", "task", "score", "value"),
    [
        # The same numbers as those of always-a, always-first and constant.
        ("selfish", "dictator", "dictator", 0.0),
        ("selfish", "trust", "reciprocity", 0.0),
        ("backward-inducer", "traveller", "claim", 2.0),
        ("backward-inducer", "beauty_contest", "guess", 0.0),
        ("level-k:k=4", "beauty_contest", "guess", 10.0),
        ("selfish", "public_goods", "contribution", 0.0),
        ("selfish", "matching_pennies", "heads", 50.0),
    ],
)
def test_control_questions_tell_preferences_from_habits(subject: str, task: str, score: str, value: float) -> None:
    assert scored(subject, task).scores[score].value == pytest.approx(value)


def test_every_subject_is_asked_18_control_questions_at_least() -> None:
    for tasks in (["dictator"], ["dictator", "trust"], []):
        planned = plan_battery(BatterySettings(subject=("selfish",), protocol="quick", task=tuple(tasks), seed=1))
        counts = [part.rules.controls for part in planned.parts]
        assert sum(counts) >= 18
        assert min(counts) >= 3, "all roles are asked, so that a habit shows"
        assert all(part.rules.questions >= 3 for part in planned.parts)


def test_control_questions_come_last_and_change_no_other_question() -> None:
    (fixture,) = plan_battery(BatterySettings(subject=("selfish",), task=("dictator",), seed=3)).fixtures()
    without = replace(fixture, rules=fixture.rules.model_copy(update={"controls": 0}))
    asked, before = ([one.question for one in match.decisions] for _, match in play_games([fixture, without]))
    assert asked[: len(before)] == before
    assert {question.phase for question in asked[len(before) :]} == {"taker", "discarder", "enterer"}


def test_missing_answers_to_control_questions_are_a_fault_and_older_experiments_score_with_a_note() -> None:
    one = scored("fehr-schmidt", "dictator")
    assert one.control_note is None
    events = one.tasks["dictator"]
    without = [event for event in events if event.get("purpose") != "control"]
    old = SubjectScores("old", {"dictator": without})
    assert old.scores["dictator"].value == 50
    assert old.control_note is not None
    assert "no control questions" in old.control_note
    silent = [
        event | ({"answer": None, "fault": "refused"} if event.get("purpose") == "control" else {}) for event in events
    ]
    assert control_fault({"dictator": [event for event in silent if event["event"] == "item_answered"]}) is not None


def test_random_answers_in_one_task_count_in_all() -> None:
    tasks = {**scored("fehr-schmidt", "dictator").tasks, **scored("clever-random", "time", "risk").tasks}
    one = SubjectScores("mixed", tasks)
    assert one.scores["dictator"].value is None
    assert one.scores["dictator"].code == Code.RANDOM


def test_missing_answers_bound_a_mean_in_the_worst_and_the_best_case() -> None:
    one = scored("fehr-schmidt", "public_goods", "dictator", "trust")
    events = [dict(event) for event in one.tasks["trust"]]
    returns = [event for event in events if event.get("role") == "returner"]
    returns[0] |= {"answer": None, "fault": "malformed"}
    more = events + [event for event in events if event.get("purpose") == "score" and event["answer"] is not None] * 3
    bounded = SubjectScores("one", {"trust": more})
    low, high = bounded.bounds["reciprocity"]
    value = bounded.scores["reciprocity"].value
    assert value is not None
    assert low < value < high
    assert high - low == pytest.approx(100 / (len(returns) + 3 * (len(returns) - 1)))
    assert bounded.as_record()["bounds"]["reciprocity"] == (low, high)


@pytest.mark.slow
def test_the_study_of_error_rates_runs() -> None:
    (chance,) = part("subjects").empty("random", "quick", 5)
    (honest,) = part("subjects").honest(0.03, "quick", 10)
    assert chance.rate == honest.rate == 0
