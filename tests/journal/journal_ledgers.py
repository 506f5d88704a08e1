"""What tests of ledgers share: questions, calls, and a game of them."""

from typing import Any

from ostrom.core import Answer, Call, Fault, Line, Question, Seat, Text, Usage

PHASES = ("message", "contribution", "punishment")
RULES = "These are the rules. " * 20


def question(place: int = 0) -> Question:
    """The question at this place of a game in which one seat is asked for one thing after the other."""
    return Question(Seat(place % 3), PHASES[place // 3 % 3], place // 9 + 1, Text(50), None)


def call(place: int = 0, attempt: int = 1, **changed: Any) -> Call:
    """A call whose prompt goes on with the conversation so far."""
    past = [line for i in range(place) for line in (Line("user", f"question {i}"), Line("assistant", f"reply {i}"))]
    content: dict[str, Any] = {
        "attempt": attempt,
        "at": "2026-05-01T10:00:00.123+00:00",
        "model": "test:one",
        "settings": {"requested": {"temperature": 0.3, "max_tokens": 1000}, "effective": {"model": "one-2026"}},
        "prompt": (Line("system", RULES), *past, Line("user", f"question {place}")),
        "reply": f"reply {place}",
        "usage": Usage(100 + place, 10),
        "latency": 0.1 + place / 3,
        "cost": 0.001 / 3,
        "finish_reason": "stop",
        "extra": {"reasoning": "because"},
    }
    return Call(**{**content, **changed})


def failed(place: int = 0, attempt: int = 1, fault: Fault = Fault.TIMEOUT, **changed: Any) -> Call:
    """A call that came to nothing."""
    nothing = {"reply": None, "usage": None, "cost": None, "finish_reason": None, "extra": {}}
    return call(place, attempt, **{**nothing, "reserved": 0.01, "fault": fault, "error": f"it was {fault}", **changed})


def answer(place: int = 0, **changed: Any) -> Answer:
    return Answer(f"value {place}", **changed)
