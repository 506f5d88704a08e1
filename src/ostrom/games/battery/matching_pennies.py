"""Matching pennies: two choose a side; the one wins where the sides are equal, the other where they differ."""

from dataclasses import dataclass
from typing import ClassVar

from ostrom.games.battery.grids import Amounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

OPTIONS = ("heads", "tails")
ROLES = ("matcher", "mismatcher")


@dataclass(frozen=True, slots=True)
class PenniesFacts:
    """What the chooser knows."""

    role: str
    """'matcher', who wins where the sides are equal, or 'mismatcher', who wins where they differ."""
    prize: float
    """What the winner gets; the other gets nothing."""


class MatchingPenniesRules(StatedRules):
    """Matching pennies, as stated choices of both roles."""

    task: ClassVar[str] = "matching_pennies"
    roles: ClassVar[tuple[str, ...]] = ("chooser",)

    prizes: Amounts = (10.0, 100.0, 1000.0)
    repetitions: Repetitions = 100

    def cells(self) -> list[Cell]:
        """A side in either role, for every prize."""
        return [
            Cell(
                role="chooser",
                condition=f"role={role} prize={prize:g}",
                facts=PenniesFacts(role, prize),
                options=OPTIONS,
                repetitions=self.repetitions,
            )
            for role in ROLES
            for prize in self.prizes
        ]


STATED_MATCHING_PENNIES = stated_game(
    MatchingPenniesRules, "stated choices: a side of a coin, to be equal to another's or to differ from it"
)
