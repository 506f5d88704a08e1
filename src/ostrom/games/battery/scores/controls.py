"""Whether a subject answers what it is asked: the control questions of all its tasks, judged together. It matters where
answers alone cannot tell: who gives nothing of any pot may be selfish, or may always write the least number.

Of money that can be had for nothing a subject with preferences takes nearly all: the mean share that is taken is 1 less
the noise, about 0.9 at noise 0.1. Of 15 questions chance takes 75 % or more in 3 of 10,000 cases.
docs/inference.md has both error rates as measured."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostrom.games.battery.items import CONTROL
from ostrom.games.battery.scores.score import Code, Score, percent, withheld
from ostrom.games.battery.tables import Events

LEAST_TAKEN: Final = 0.75
"""The least mean share, over control questions."""


def control_fault(tasks: Mapping[str, Events]) -> Score | None:
    """Why nothing of a subject may be scored: it takes too little of what it can have for nothing. None where it takes
    enough, or was asked no such question, as in experiments of the first version."""
    found = [item for events in tasks.values() for item in _controls(events) if item["answer"] is not None]
    taken = sum(float(item["answer"]) / float(item["facts"]["most"]) for item in found)
    if taken >= LEAST_TAKEN * len(found):
        return None
    share = f"{percent(taken / len(found))} of what can be had for nothing is taken; 75 % is the least"
    if len({item["answer"] for item in found}) == 1:
        return withheld(f"constant: {share}, and every such answer is {found[0]['answer']:g}", Code.CONSTANT)
    return withheld(f"random: {share}", Code.RANDOM)


def _controls(events: Events) -> Iterator[Mapping[str, Any]]:
    """The control questions of a task, which are its last."""
    for event in reversed(events):
        if event["event"] == "item_answered":
            if event["purpose"] != CONTROL:
                return
            yield event
