"""The stated tasks of the battery as tidy tables: a row for each answer, and a row for each adaptive sequence. Scores
read events only through this module.

A table contains one task, since only the items of one task have the same facts."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ostrom.games.battery.adaptive import ENDS, SequenceSteps
from ostrom.games.battery.rules import AmountList
from ostrom.games.battery.stated import PREFIX, TASKS
from ostrom.journal.record import GameRecord

Events = Sequence[Mapping[str, Any]]
"""The events of games as stored in records."""

_ITEM, _SEQUENCE = "item_answered", "sequence_ended"
_ROUNDING = 1e-9
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
    """Return the events of all stated tasks by subject and task. Several games of the same task are concatenated. If
    the record has the distribution from which an answer was drawn, the item has `probabilities`: pairs of an option (or
    a number) and its probability."""
    subjects: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for _, _, record in records:
        if record.game.startswith(PREFIX):
            tasks = subjects.setdefault(record.seats[0].player, {})
            tasks.setdefault(record.game.removeprefix(PREFIX), []).extend(_with_probabilities(record))
    return subjects


def _with_probabilities(record: GameRecord) -> Iterable[Mapping[str, Any]]:
    """Return the events of a record. Items whose answers were drawn from a distribution have `probabilities`."""
    distributions = {(answer.turn, answer.phase): answer.distribution for answer in record.answers}
    if not any(distributions.values()):
        return record.events
    return [
        event | {"probabilities": _probabilities(event, distributions.get((event["number"], event["role"])))}
        if event["event"] == _ITEM
        else event
        for event in record.events
    ]


def _probabilities(
    item: Mapping[str, Any], texts: Mapping[str, float] | None
) -> list[tuple[str | float, float]] | None:
    """Return the probability of each answer to an item, given the probabilities of the texts of answers. Return None if
    there is no distribution, or if its texts are not the texts of all legal answers."""
    if not texts or item["answer"] is None:
        return None
    if item["options"]:
        options = dict(zip(item["labels"], item["options"], strict=True))
        return [(options[text], texts[text]) for text in texts] if options.keys() == texts.keys() else None
    role = TASKS[item["task"]].roles.get(item["role"]) if item["task"] in TASKS else None
    if role is None or not isinstance(role.listing, AmountList):
        return None
    return _probabilities_of_amounts(item, texts, *role.listing.bounds(item["facts"]))


def _probabilities_of_amounts(
    item: Mapping[str, Any], texts: Mapping[str, float], low: float, high: float
) -> list[tuple[str | float, float]] | None:
    """Return the probability of each amount between the bounds. A prompt may ask for amounts in another unit. So the
    smallest text is assigned to the smallest amount, and the largest text to the largest amount."""
    step = float(item["facts"].get("step", 0))
    most = low + math.floor((high - low) / step + _ROUNDING) * step if step else high
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return None
    least, span = min(numbers), max(numbers) - min(numbers)
    if span <= 0:
        return None
    amounts = [low + (most - low) * (number - least) / span for number in numbers]
    drawn = min(abs(amount - item["answer"]) for amount in amounts)
    if drawn > _ROUNDING * max(1.0, abs(most)):
        return None
    return list(zip(amounts, texts.values(), strict=True))


def tables_by_task(records: Iterable[tuple[str, str, GameRecord]]) -> dict[str, pl.DataFrame]:
    """Return tables by name. The table with a task's name has the answers of all subjects. If the task is adaptive, a
    second table, whose name ends in `_sequences`, has the sequences. The first columns are the game and the subject."""
    games_by_task: dict[str, list[tuple[str, GameRecord]]] = {}
    for game, _, record in records:
        if record.game.startswith(PREFIX):
            games_by_task.setdefault(record.game.removeprefix(PREFIX), []).append((game, record))
    tables = {}
    for task, games in sorted(games_by_task.items()):
        for name, kind, table in ((task, _ITEM, answers_table), (f"{task}_sequences", _SEQUENCE, sequences_table)):
            rows = [
                (game, record.seats[0].player, event)
                for game, record in games
                for event in record.events
                if _matches(event, kind, task)
            ]
            if rows:
                owners = pl.DataFrame([row[:2] for row in rows], schema=["game", "subject"], orient="row")
                tables[name] = owners.hstack(table([event for *_, event in rows], task))
    return tables


def items_of(events: Events, task: str) -> list[Mapping[str, Any]]:
    """Return the events of a task's answered items, in the order of asking."""
    return [event for event in events if _matches(event, _ITEM, task)]


def answers_table(events: Events, task: str) -> pl.DataFrame:
    """Return the items of a task in the order of asking. `choice` is the meaning of the chosen option, and `amount` is
    the number that was named. If there is no valid answer, both are missing, and `fault` gives the reason. `first` is
    true if the option shown first was chosen, and `label` is the label of the chosen option. `shown_first` and
    `called_a` are the options at these places. `facts` is a struct of the item's numbers, `detail` is JSON."""
    return _table(events, task, _ITEM, _ANSWERS, _answer_columns)


def steps_of(answers: pl.DataFrame) -> SequenceSteps:
    """Return the number of bisections and the number of askings in each step, from a task's answers."""
    if answers.is_empty():
        return SequenceSteps(0, 0)
    last: dict[str, Any] = {name: answers[name].max() or 0 for name in ("step", "repetition")}
    return SequenceSteps(bisections=last["step"] - (ENDS - 1), askings=last["repetition"])


def sequences_table(events: Events, task: str) -> pl.DataFrame:
    """Return the adaptive sequences of a task in the order of their ends."""
    return _table(events, task, _SEQUENCE, _SEQUENCES, lambda event: {})


def _table(
    events: Events, task: str, kind: str, schema: dict[str, Any], extra: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> pl.DataFrame:
    selection = [event for event in events if _matches(event, kind, task)]
    rows = [{name: event.get(name) for name in schema} | extra(event) for event in selection]
    table = pl.DataFrame(rows, schema=schema)
    facts = [event["facts"] for event in selection]
    return table.with_columns(pl.Series("facts", facts, strict=False)) if facts else table


def _matches(event: Mapping[str, Any], kind: str, task: str) -> bool:
    return bool(event["event"] == kind and event["task"] == task)


def _answer_columns(event: Mapping[str, Any]) -> dict[str, Any]:
    answer, options = event["answer"], event["options"]
    row: dict[str, Any] = {"detail": json.dumps(event["detail"], sort_keys=True)}
    if options:
        row |= {"shown_first": options[0], "called_a": dict(zip(event["labels"], options, strict=True)).get("A")}
    if isinstance(answer, str):
        row |= {"choice": answer, "first": options[0] == answer, "label": event["labels"][options.index(answer)]}
    elif answer is not None:
        row["amount"] = float(answer)
    return row
