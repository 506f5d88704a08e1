"""Control questions: any amount up to a limit, for nothing. Whoever reads the question and likes money takes nearly all
of it, whatever the preferences towards risk, time and others; whoever answers by habit or chance does not. They are
asked after the questions of a task, so that these stay as they are, and enter no score."""

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from ostrom.core import Amount
from ostrom.games.battery.items import CONTROL, Cell, Facts
from ostrom.games.battery.rules import Role

LIMITS: Final = (10.0, 100.0, 1000.0)
"""How much can be taken, in turn: the same number is a different part of each."""


@dataclass(frozen=True, slots=True)
class ControlFacts(Facts):
    """What the taker knows."""

    most: float


ROLES: Final = {"taker": Role("take", field="amount")}
"""What a subject is in control questions, within every task."""


def control_cells(count: int) -> list[Cell]:
    """So many control questions."""
    return [
        Cell("taker", f"most={most:g}", ControlFacts(most), Amount(0, most), purpose=CONTROL)
        for most in islice(cycle(LIMITS), count)
    ]
