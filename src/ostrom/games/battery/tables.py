"""The stated tasks of the battery as tidy tables: one row an answer, one row an adaptive sequence. Scores start here.

Tables are made of events alone, one task at a time, for only within a task do all items have the same facts."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ostrom.games.battery.adaptive import ENDS
from ostrom.games.battery.simulation import Steps
from ostrom.games.battery.stated import PREFIX
from ostrom.journal.record import GameRecord

Events = Sequence[Mapping[str, Any]]
"""The events of some games as they stand in records."""

_ITEM, _SEQUENCE = "item_answered", "sequence_ended"
_ANSWERS: dict[str, Any] = {
    "number": pl.Int64,
    "role": pl.String,
    "condition": pl.String,
    "repetition": pl.Int64,
    "purpose": pl.String,
    "step": pl.Int64,
    "choice": pl.String,
    "amount": pl.Float64,
    "first": pl.Boolean,
    "label": pl.String,
    "shown_first": pl.String,
    "called_a": pl.String,
    "fault": pl.String,
    "detail": pl.String,
}
_SEQUENCES: dict[str, Any] = {
    "condition": pl.String,
    "purpose": pl.String,
    "outcome": pl.String,
    "value": pl.Float64,
    "axis": pl.String,
    "answers": pl.Int64,
    "reason": pl.String,
}


def events_by_subject(records: Iterable[tuple[str, str, GameRecord]]) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    """The events of all stated tasks, by subject and then by task; what a subject answered in several games of the same
    task stands together."""
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for _, _, record in records:
        if record.game.startswith(PREFIX):
            tasks = found.setdefault(record.seats[0].player, {})
            tasks.setdefault(record.game.removeprefix(PREFIX), []).extend(record.events)
    return found


def tables_by_task(records: Iterable[tuple[str, str, GameRecord]]) -> dict[str, pl.DataFrame]:
    """For every task that was asked, the answers of all subjects under its name; and of an adaptive task its sequences,
    under its name and `_sequences`. The first columns are the game and the subject."""
    asked: dict[str, list[tuple[str, GameRecord]]] = {}
    for game, _, record in records:
        if record.game.startswith(PREFIX):
            asked.setdefault(record.game.removeprefix(PREFIX), []).append((game, record))
    found = {}
    for task, games in sorted(asked.items()):
        for name, kind, table in ((task, _ITEM, answers_table), (f"{task}_sequences", _SEQUENCE, sequences_table)):
            rows = [
                (game, record.seats[0].player, event)
                for game, record in games
                for event in record.events
                if _is(event, kind, task)
            ]
            if rows:
                whose = pl.DataFrame([row[:2] for row in rows], schema=["game", "subject"], orient="row")
                found[name] = whose.hstack(table([event for *_, event in rows], task))
    return found


def answers_table(events: Events, task: str) -> pl.DataFrame:
    """The items of a task in the order of asking. `choice` is what was chosen, by its meaning, `amount` the number
    given; both are missing without a valid answer, and `fault` then says why. `first` is whether the option shown first
    was chosen, `label` the label of the chosen one; `shown_first` and `called_a` are the options so put. `facts` is a
    struct of the item's numbers, `detail` JSON."""
    return _table(events, task, _ITEM, _ANSWERS, _answer)


def steps_of(answers: pl.DataFrame) -> Steps:
    """How the sequences of a task were asked, from its answers: bisections, and askings of each step."""
    if answers.is_empty():
        return Steps(0, 0)
    return Steps(*(int(answers[name].max() or 0) - less for name, less in (("step", ENDS - 1), ("repetition", 0))))  # type: ignore[arg-type]


def sequences_table(events: Events, task: str) -> pl.DataFrame:
    """The adaptive sequences of a task in the order in which they ended."""
    return _table(events, task, _SEQUENCE, _SEQUENCES, lambda event: {})


def _table(
    events: Events, task: str, kind: str, schema: dict[str, Any], more: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> pl.DataFrame:
    found = [event for event in events if _is(event, kind, task)]
    rows = [{name: event.get(name) for name in schema} | more(event) for event in found]
    table = pl.DataFrame(rows, schema=schema)
    facts = [event["facts"] for event in found]
    return table.with_columns(pl.Series("facts", facts, strict=False)) if facts else table


def _is(event: Mapping[str, Any], kind: str, task: str) -> bool:
    return bool(event["event"] == kind and event["task"] == task)


def _answer(event: Mapping[str, Any]) -> dict[str, Any]:
    answer, options = event["answer"], event["options"]
    row: dict[str, Any] = {"detail": json.dumps(event["detail"], sort_keys=True)}
    if options:
        row |= {"shown_first": options[0], "called_a": dict(zip(event["labels"], options, strict=True)).get("A")}
    if isinstance(answer, str):
        row |= {"choice": answer, "first": options[0] == answer, "label": event["labels"][options.index(answer)]}
    elif answer is not None:
        row["amount"] = float(answer)
    return row
