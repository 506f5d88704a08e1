"""Interviews with scripted subjects, single questions to simulated ones, and the events of interviews."""

from collections.abc import Callable, Sequence
from typing import Any

from ostrom.core import Amount, Choice, Fault, GameChance, Question, Seat, Spec
from ostrom.experiment.match import Match, play_match
from ostrom.games.battery.items import Item, ItemAnswered, SequenceEnded, TaskEnded
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import subject_of
from ostrom.players.base import NoAnswer
from ostrom.testing import ScriptedJudge


def interview(task: str, script: Callable[[Question], object], rules: Any = None, seed: int = 1) -> Match:
    game = TASKS[task].game
    return play_match(game, rules or game.rules(), [ScriptedJudge(script)], GameChance(seed))


def ask(
    name: str,
    task: str,
    role: str,
    facts: Any,
    *,
    options: tuple[str, ...] = (),
    spec: Spec | None = None,
    turn: int = 1,
    seed: int = 1,
    repetition: int = 1,
) -> Any:
    """Return the answer of a simulated subject to one item."""
    item = Item(task, role, "cell", repetition, facts, options, ("A", "B") if options else ())
    wanted = spec or (Choice(options) if options else Amount(0, 1e6))
    player = subject_of(name).sit(Seat(0), GameChance(seed, 0))
    return wanted.validate(player.answer(Question(Seat(0), role, turn, wanted, item)))


def valid(question: Question) -> object:
    """Return a valid answer: the first option of the task's file, or the lowest number."""
    return min(question.view.options) if question.view.options else question.spec.low


def refuse(question: Question) -> object:
    raise NoAnswer(Fault.REFUSED, "no, thank you")


def discounting(delta: float) -> Callable[[Question], object]:
    """Exponential discounting with an annual factor, without noise."""

    def script(question: Question) -> str:
        facts = question.view.facts
        worth = facts.later * delta ** ((facts.later_days - facts.sooner_days) / 365)
        return "sooner" if facts.sooner >= worth else "later"

    return script


def expecting(m: float) -> Callable[[Question], object]:
    """Expected utility with u = (0, m, 1), without noise."""

    def worth(lottery: Sequence[float]) -> float:
        return lottery[2] + m * lottery[1]

    def script(question: Question) -> str:
        facts = question.view.facts
        return "reference" if worth(facts.reference) > worth(facts.other) else "other"

    return script


SCRIPTS = {"time": discounting(0.9), "risk": expecting(0.6)}
"""Scripts for adaptive tasks that reach the end of every sequence."""


def items(match: Match, purpose: str | None = None) -> list[ItemAnswered]:
    events = [event for event in match.events if isinstance(event, ItemAnswered)]
    return [event for event in events if purpose in (None, event.purpose)]


def sequences(match: Match, purpose: str = "score") -> list[SequenceEnded]:
    return [event for event in match.events if isinstance(event, SequenceEnded) and event.purpose == purpose]


def ended(match: Match) -> TaskEnded:
    (end,) = [event for event in match.events if isinstance(event, TaskEnded)]
    assert match.events[-1] is end
    return end
