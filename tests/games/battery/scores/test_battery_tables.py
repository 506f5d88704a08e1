"""Events of stated tasks as tables."""

import json

import polars as pl
from simulated import events

from ostrom.games.battery.tables import answers_table, events_by_subject, sequences_table
from ostrom.journal.record import GameRecord, RecordedSeat


def _record(player: str, task: str, happened: list[dict[str, object]]) -> GameRecord:
    seats = [RecordedSeat(seat=0, label="S1", player=player)]
    return GameRecord(ostrom="0", game=task, seed=1, number=0, rules={}, seats=seats, answers=[], events=happened)


def test_every_item_has_a_row_with_its_facts() -> None:
    found = events("exponential:delta=0.9", "time", "quick")
    table = answers_table(found, "time")
    assert table.height == sum(event["event"] == "item_answered" for event in found)
    first = next(event for event in found if event["event"] == "item_answered")
    row = table.row(0, named=True)
    assert row["choice"] == first["answer"]
    assert row["first"] == (first["options"][0] == first["answer"])
    assert row["label"] == first["labels"][first["options"].index(first["answer"])]
    assert row["facts"] == first["facts"]
    assert json.loads(row["detail"]) == first["detail"]


def test_missing_answers_keep_their_fault() -> None:
    table = answers_table(events("refuser", "dictator", "quick"), "dictator")
    assert table.height
    assert table["amount"].null_count() == table.height
    assert set(table["fault"]) == {"refused"}


def test_numbers_are_amounts() -> None:
    table = answers_table(events("constant", "dictator", "quick"), "dictator")
    assert table["amount"].dtype == pl.Float64
    assert table["amount"].null_count() == 0
    assert table["choice"].null_count() == table.height


def test_a_task_without_events_has_empty_tables() -> None:
    assert answers_table([], "time").is_empty()
    assert sequences_table([], "time").is_empty()


def test_events_stand_by_subject_and_task() -> None:
    quick = events("exponential:delta=0.9", "time", "quick")
    records = [
        ("a", "e", _record("ann", "stated_time", quick)),
        ("b", "e", _record("ann", "stated_time", quick)),
        ("c", "e", _record("bob", "stated_dictator", [])),
        ("d", "e", _record("bob", "dictator", [])),
    ]
    found = events_by_subject(records)
    assert {subject: list(tasks) for subject, tasks in found.items()} == {"ann": ["time"], "bob": ["dictator"]}
    assert len(found["ann"]["time"]) == 2 * len(quick)
