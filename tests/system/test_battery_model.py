"""A real model as a subject of the battery, from the command line. What it answers means nothing; that every question
is accounted for, and that nothing stands in for an answer that it did not give, does."""

from collections import Counter
from typing import Any

import pytest
from system_lab import Lab, ended

from local_model import LocalModel
from ostrom.core import Provenance
from ostrom.experiment import replay
from ostrom.games.battery.scores.table import score_subjects

pytestmark = pytest.mark.slow

FORMS: dict[str, dict[str, Any]] = {"smol-native": {"form": "native"}, "smol-tags": {"form": "tags", "grammar": True}}
SMALL = "[dictator]\npots = [10, 100]\nrepetitions = 2\ncontrols = 0\n"
LONG = 1500.0
"""Seconds that the quick protocol may take on one slow thread."""


def prepared(lab: Lab, local_model: LocalModel, max_tokens: int = 48) -> None:
    for name, form in FORMS.items():
        settings = {"model": local_model.name, "variant": "terse", "max_tokens": max_tokens, **form}
        lab.bot(name, local_model.base_url, temperature=0.5, **settings)


def asked(lab: Lab, subject: str, *options: object) -> None:
    limits = ("--attempts", 2, "--calls", 1, "--seed", 1, "--pause-at-defaults", 1)
    done = ended(lab.start("bench", "battery", "--subject", subject, *options, *limits), LONG)
    assert done.status == 0, done


def check_nothing_imputed(lab: Lab, subject: str) -> dict[str, Counter[str]]:
    """By task, how many answers are valid, and which faults the others have; every question has its calls, and one
    without a legal reply has no answer, in the record as in the event."""
    found: dict[str, Counter[str]] = {}
    with lab.journal() as journal:
        for game in journal.games():
            assert game.state == "finished"
            record = journal.record(game.id)
            replay(record)
            assert [seat.player for seat in record.seats] == [subject]
            calls: dict[Any, list[Any]] = {}
            for key, call in journal.calls(game.id):
                calls.setdefault(key, []).append(call)
            answers = {answer.turn: answer for answer in record.answers}
            items = [event for event in record.events if event["event"] == "item_answered"]
            (end,) = (event for event in record.events if event["event"] == "task_ended")
            counted: Counter[str] = Counter()
            for item in items:
                answer = answers.pop(item["number"])
                mine = calls.pop((answer.turn, answer.phase, answer.seat))
                if mine[-1].fault is None:
                    assert answer.provenance == (Provenance.REPAIRED if len(mine) > 1 else Provenance.ANSWERED)
                    assert item["answer"] is not None
                    assert item["fault"] is None
                    counted["valid"] += 1
                else:
                    assert (answer.provenance, answer.value) == (Provenance.DEFAULTED, None)
                    assert (item["answer"], item["fault"]) == (None, str(mine[-1].fault))
                    counted[str(mine[-1].fault)] += 1
            assert (answers, calls) == ({}, {})
            assert end["items"] == len(items)
            assert (end["valid"], end["faults"]) == (counted["valid"], dict(counted - Counter(valid=counted["valid"])))
            found[end["task"]] = counted
    return found


def scores(lab: Lab, found: dict[str, Counter[str]]) -> dict[str, Any]:
    """The row of scores; answers that are not there are counted in it, and no score comes of a task with many."""
    with lab.journal() as journal:
        (row,) = (one.as_record() for one in score_subjects(journal.records()))
    counted: Counter[str] = sum(found.values(), Counter())
    assert row["invalid"]["value"] == pytest.approx(1 - counted["valid"] / counted.total())
    for task, score in (("dictator", "altruism"), ("stag_hunt", "stag"), ("beauty_contest", "guess")):
        asked_there = found.get(task, Counter())
        if asked_there["valid"] < 0.95 * asked_there.total() or not asked_there:
            assert row[score]["value"] is None
            assert row[score]["reason"]
    return row


def test_one_task_by_a_json_schema(local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model)
    (lab.folder / "small.toml").write_text(SMALL)
    asked(lab, "smol-native", "--task", "dictator", "--protocol", "small.toml")
    found = check_nothing_imputed(lab, "smol-native")
    assert found.keys() == {"dictator"}
    assert found["dictator"].total() == 4
    row = scores(lab, found)
    # What was not asked has no score, and a reason.
    assert row["rationality"]["value"] is None
    assert row["rationality"]["reason"]


@pytest.mark.long
def test_the_whole_quick_protocol_by_a_json_schema(local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model)
    asked(lab, "smol-native", "--protocol", "quick")
    found = check_nothing_imputed(lab, "smol-native")
    assert len(found) == 14
    scores(lab, found)
    print({task: dict(counted) for task, counted in found.items()})


@pytest.mark.long
def test_two_tasks_by_tags(local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model)
    asked(lab, "smol-tags", "--protocol", "quick", "--task", "ultimatum", "--task", "time")
    found = check_nothing_imputed(lab, "smol-tags")
    assert found.keys() == {"ultimatum", "time"}
    scores(lab, found)
    print({task: dict(counted) for task, counted in found.items()})
