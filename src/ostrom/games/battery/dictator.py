"""Dictator: a pot, and how much of it to give to somebody else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ostrom.core import Amount
from ostrom.core.effects import Split
from ostrom.games.battery.drawing import AmountList, Asking, Listing, parties, up_to
from ostrom.games.battery.grids import Amounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

CENT = 0.01


@dataclass(frozen=True, slots=True)
class GiveFacts:
    """What the giver knows."""

    pot: float
    unit: float = CENT
    """The smallest amount that money is counted in, for those who say so; finer answers are answers too."""


class DictatorRules(StatedRules):
    """Dictator game, as stated choices."""

    task: ClassVar[str] = "dictator"
    roles: ClassVar[tuple[str, ...]] = ("giver",)
    lists: ClassVar[Mapping[str, Listing]] = {"giver": AmountList("Given, of each pot", up_to("pot"))}

    pots: Amounts = (10.0, 100.0, 1000.0)
    """What is to be divided, in dollars."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

    def cells(self) -> list[Cell]:
        """How much to give, for every pot."""
        return [
            Cell("giver", f"pot={pot:g}", GiveFacts(pot), Amount(0, pot), repetitions=self.repetitions)
            for pot in self.pots
        ]

    def form(self, asking: Asking) -> Split:
        """The pot, and what is given of it."""
        return Split(parties=parties("giver", "receiver", asked=0), pot=asking.facts["pot"], offer=asking.number)


STATED_DICTATOR = stated_game(DictatorRules, "stated choices: how much of a pot to give to somebody else")
