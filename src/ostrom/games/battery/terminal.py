"""What the final table of the battery's games says: what a seat was paid, or how the questions of a task were
answered."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.core.standings import Figure, Figures
from ostrom.games.battery.events import TaskEnded
from ostrom.games.battery.played import GameEnded


def payoffs(rules: Any, events: Sequence[Event]) -> Figures:
    """The payoffs of a played game, under their own name in JSON."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return Figures([Figure("payoff", "", end.payoffs)])


def questions(rules: Any, events: Sequence[Event]) -> Figures:
    """How many questions of a task were asked, and how many answers are valid."""
    end = events[-1]
    assert isinstance(end, TaskEnded)
    return Figures(
        [
            Figure("items", "asked", [end.items]),
            Figure("valid", "valid", [end.valid]),
            Figure("faults", "", [end.faults]),
        ]
    )
