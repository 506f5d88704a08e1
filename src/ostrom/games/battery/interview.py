"""An interview: puts items to a subject, step by step, and records every answer, or that there was none."""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import fields
from typing import Any

from ostrom.core import Answer, Step, Table
from ostrom.games.battery.events import ItemAnswered, TaskEnded
from ostrom.games.battery.items import ITEMS, Posed, drawn_order

UNKNOWN = "unknown"
"""Under which missing answers are counted whose fault is not known."""


class Interview:
    """One subject's way through one task."""

    def __init__(self, task: str, table: Table) -> None:
        (self._subject,) = table.seats
        self._task = task
        self._table = table
        self._asked = 0
        self._moments = 0
        self._valid = 0
        self._faults: Counter[str] = Counter()
        # Many items share their facts; what they are as plain data is found once.
        self._plain: dict[Any, dict[str, Any]] = {}

    def put(self, items: Sequence[Posed]) -> Generator[Step, list[Answer], list[Any]]:
        """Ask all of these at once, in an order drawn at random; returns the answers in the order of `items`, with
        `None` where there was no valid one."""
        self._moments += 1
        order = drawn_order(self._table.chance, range(len(items)), ITEMS, self._moments)
        first = self._asked + 1
        self._asked += len(items)
        answers = yield [
            self._table.ask(self._subject, items[place].item.role, number, items[place].spec, items[place].item)
            for number, place in enumerate(order, start=first)
        ]
        values: list[Any] = [None] * len(items)
        for number, (place, answer) in enumerate(zip(order, answers, strict=True), start=first):
            values[place] = answer.value
            self._record(number, items[place], answer)
        return values

    def close(self) -> None:
        """Record that all items were asked."""
        ended = TaskEnded(task=self._task, items=self._asked, valid=self._valid, faults=dict(self._faults))
        self._table.record(ended)

    def _record(self, number: int, posed: Posed, answer: Answer) -> None:
        item = posed.item
        fault = None
        if answer.value is None:
            fault = None if answer.fault is None else str(answer.fault)
            self._faults[fault or UNKNOWN] += 1
        else:
            self._valid += 1
        self._table.record(
            ItemAnswered(
                number=number,
                task=item.task,
                role=item.role,
                condition=item.condition,
                repetition=item.repetition,
                purpose=item.purpose,
                step=item.step,
                facts=self._facts(item.facts),
                options=list(item.options),
                labels=list(item.labels),
                detail=dict(item.detail),
                answer=answer.value,
                fault=fault,
            )
        )

    def _facts(self, facts: Any) -> dict[str, Any]:
        if facts not in self._plain:
            self._plain[facts] = {entry.name: _plain(getattr(facts, entry.name)) for entry in fields(facts)}
        return self._plain[facts]


def _plain(value: Any) -> Any:
    """Lists for tuples, as a record has them."""
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
