"""Stated choices in words and in numbers, the same for every task."""

import textwrap
from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.core.counts import number_of
from ostrom.games.battery.events import ItemAnswered, SequenceEnded, TaskEnded

_WIDTH = 100


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines."""
    match event:
        case ItemAnswered():
            about = [event.role, event.condition]
            point = event.detail.get("ratio", event.detail.get("q"))
            about += [f"step {event.step} at {point:.6g}"] if point is not None else []
            about += [f"asking {event.repetition}"] if event.repetition > 1 else []
            about += [event.purpose] if event.purpose != "score" and event.purpose not in event.condition else []
            return _wrapped(f"{event.number:>4}. {', '.join(about)}: {_answer(event)}", "      ")
        case SequenceEnded():
            purpose = "" if event.purpose == "score" else f" ({event.purpose})"
            return _wrapped(
                f"{event.condition}{purpose}: {_ending(event)}, after {number_of(event.answers, 'question')}", "  "
            )
        case TaskEnded():
            missing = ", ".join(f"{count} {fault}" for fault, count in event.faults.items())
            gave, asked = number_of(event.valid, "valid answer"), number_of(event.items, "question")
            said = f"the end: {names[0]} gave {gave} to {asked}"
            return _wrapped(said + (f" (without one: {missing})" if missing else ""), "  ")
        case _:
            raise TypeError(f"not an event of stated choices: {event!r}")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, drop_whitespace=True)


def _answer(event: ItemAnswered) -> str:
    if event.answer is None:
        return f"no valid answer ({event.fault})" if event.fault else "no valid answer"
    if isinstance(event.answer, float):
        return f"{event.answer:.12g}"
    place = event.options.index(event.answer)
    return f"{event.answer} ({event.labels[place]}, shown {'second' if place else 'first'})"


def _ending(event: SequenceEnded) -> str:
    axis = f" on {event.axis}" if event.axis else ""
    match event.outcome:
        case "point":
            return f"indifferent at {event.value:.6g}{axis}"
        case "censored":
            return f"beyond {event.value:.6g}{axis} ({event.reason})"
        case _:
            return f"invalid ({event.reason})"


_SERIES = ("role", "condition", "repetition", "purpose", "step", "answer", "fault")


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """What was asked and answered, as arrays over items in the order of asking."""
    answered = [event for event in events if isinstance(event, ItemAnswered)]
    return {name: [getattr(event, name) for event in answered] for name in _SERIES}
