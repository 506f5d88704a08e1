"""Matching pennies: two choose a side; the one wins where the sides are equal, the other where they differ."""

from dataclasses import dataclass
from typing import ClassVar

from ostrom.core.effects import Matrix, Party
from ostrom.games.battery.drawing import Asking, parties
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


def pennies_matrix(
    both: tuple[Party, Party], prize: float, row: int | None = None, column: int | None = None
) -> Matrix:
    """What both get, by the sides that they show: the first wins where they match."""
    payoffs = (((prize, 0), (0, prize)), ((0, prize), (prize, 0)))
    return Matrix(parties=both, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class MatchingPenniesRules(StatedRules):
    """Matching pennies, as stated choices of both roles."""

    task: ClassVar[str] = "matching_pennies"
    roles: ClassVar[tuple[str, ...]] = ("chooser",)

    prizes: Amounts = (10.0, 100.0, 1000.0)
    """Prizes, in dollars."""
    repetitions: Repetitions = 100
    """How often every question is asked."""

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

    def form(self, asking: Asking) -> Matrix:
        """The payoffs, and the side that the subject shows."""
        side, second = asking.place(OPTIONS), asking.facts["role"] == ROLES[1]
        both = parties(*ROLES, asked=1 if second else 0)
        return pennies_matrix(both, asking.facts["prize"], None if second else side, side if second else None)


STATED_MATCHING_PENNIES = stated_game(
    MatchingPenniesRules, "stated choices: a side of a coin, to be equal to another's or to differ from it"
)
