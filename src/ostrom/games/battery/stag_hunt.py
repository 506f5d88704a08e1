"""Stag hunt: together the stag, worth most; alone nothing; or the hare, worth less and safe."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ostrom.core.effects import Matrix, Party
from ostrom.games.battery.drawing import Asking, ChoiceList, Listing, by, parties
from ostrom.games.battery.grids import Amounts, Repetitions, Shares
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

OPTIONS = ("stag", "hare")


@dataclass(frozen=True, slots=True)
class StagFacts:
    """What the chooser knows. Whoever goes for the stag alone gets nothing."""

    stag: float
    """What each gets where both go for the stag."""
    hare: float
    """What the hare is worth, whatever the other does."""


def hunt_matrix(
    hunters: tuple[Party, Party], stag: float, hare: float, row: int | None = None, column: int | None = None
) -> Matrix:
    """What both get, by what each hunts."""
    payoffs = (((stag, stag), (0, hare)), ((hare, 0), (hare, hare)))
    return Matrix(parties=hunters, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class StagHuntRules(StatedRules):
    """Stag hunt, as stated choices."""

    task: ClassVar[str] = "stag_hunt"
    roles: ClassVar[tuple[str, ...]] = ("chooser",)
    lists: ClassVar[Mapping[str, Listing]] = {
        "chooser": ChoiceList("hare", OPTIONS, by("hare"), "The same stag, other hares", ("stag",))
    }

    stags: Amounts = (10.0, 100.0, 1000.0)
    """What both get who hunt the stag together, in dollars."""
    hares: Shares = (0.25, 0.5, 0.75)
    """What the hare is worth, as parts of the stag."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

    def cells(self) -> list[Cell]:
        """Stag or hare, for every pair of what they are worth."""
        return [
            Cell(
                role="chooser",
                condition=f"stag={stag:g} hare={share:g}",
                facts=StagFacts(stag, round(share * stag, 10)),
                options=OPTIONS,
                repetitions=self.repetitions,
            )
            for stag in self.stags
            for share in self.hares
        ]

    def form(self, asking: Asking) -> Matrix:
        """The payoffs, and what the subject hunts."""
        hunters = parties("hunter", "hunter", asked=0)
        return hunt_matrix(hunters, asking.facts["stag"], asking.facts["hare"], asking.place(OPTIONS))


STATED_STAG_HUNT = stated_game(
    StagHuntRules, "stated choices: a high payoff that takes two, or a lower one that is safe"
)
