"""The events of stated choices, the same for every task. Scores are made from them alone."""

from collections.abc import Sequence
from typing import Any, Literal

from ostrom.core import Event, EventRegistry
from ostrom.core.effects import ChoiceMade

EVENTS = EventRegistry()


@EVENTS.register
class ItemAnswered(Event, tag="item_answered"):
    """A subject answered an item, or gave no valid answer to it."""

    number: int
    """The item's number in the order of asking, counted from 1."""
    task: str
    role: str
    condition: str
    repetition: int
    purpose: str
    step: int
    facts: dict[str, Any]
    options: list[str]
    """In the order shown."""
    labels: list[str]
    detail: dict[str, Any]
    answer: str | float | None
    """What was chosen, by its meaning, or the number given; missing where there was no valid answer."""
    fault: str | None = None
    """Why there was none: a fault of a call, such as 'refused' or 'malformed'."""

    @property
    def amount(self) -> float | None:
        """The answer, where it is a number."""
        return self.answer if isinstance(self.answer, float) else None

    @property
    def choice(self) -> ChoiceMade:
        """The options as they were shown, and the one that was chosen."""
        answer = self.answer if isinstance(self.answer, str) else None
        return ChoiceMade(options=tuple(self.options), labels=tuple(self.labels), answer=answer)

    def place(self, options: tuple[str, ...]) -> int | None:
        """The place of the chosen option among these."""
        return options.index(self.answer) if self.answer in options else None


@EVENTS.register
class SequenceEnded(Event, tag="sequence_ended"):
    """An adaptive sequence came to its end."""

    task: str
    condition: str
    purpose: str
    facts: dict[str, Any]
    outcome: Literal["point", "censored", "invalid"]
    value: float | None
    """The indifference point in the task's own measure; of a censored one the bound; missing where invalid."""
    axis: str | None = None
    """In the risk task: 'x' or 'y'."""
    answers: int
    """How many answers it took."""
    reason: str | None = None
    """Why it is censored or invalid."""


@EVENTS.register
class TaskEnded(Event, tag="task_ended"):
    """All items were asked."""

    task: str
    items: int
    valid: int
    faults: dict[str, int]


ITEM_EVENTS = EventRegistry()
"""The events of tasks without adaptive sequences."""
for _event in (ItemAnswered, TaskEnded):
    ITEM_EVENTS.register(_event)

_SERIES = ("role", "condition", "repetition", "purpose", "step", "answer", "fault")


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """What was asked and answered, as arrays over items in the order of asking."""
    answered = [event for event in events if isinstance(event, ItemAnswered)]
    return {name: [getattr(event, name) for event in answered] for name in _SERIES}
