"""Public goods: how much of an endowment to put into a pot that is multiplied and shared out evenly, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from ostrom.core import Amount
from ostrom.core.effects import Fund, Party
from ostrom.games.battery.drawing import AmountList, Asking, Listing, up_to
from ostrom.games.battery.grids import Amounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What the contributor knows."""

    endowment: float
    multiplier: float
    """What all contributions together are multiplied by."""
    players: int
    """How many share the pot, the contributor included."""


class PublicGoodsRules(StatedRules):
    """Public goods game of one round, as stated choices."""

    task: ClassVar[str] = "public_goods"
    roles: ClassVar[tuple[str, ...]] = ("contributor",)
    lists: ClassVar[Mapping[str, Listing]] = {
        "contributor": AmountList("Contributed, of each endowment", up_to("endowment"))
    }

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """What every player has to give from, in dollars."""
    multipliers: Amounts = (1.0, 1.25, 1.5, 2.0)
    """What the fund is multiplied by."""
    players: int = Field(10, ge=2, le=1_000_000)
    """How many players the subject is told of, itself included."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

    def cells(self) -> list[Cell]:
        """A contribution for every endowment and multiplier."""
        return [
            Cell(
                role="contributor",
                condition=f"endowment={endowment:g} multiplier={multiplier:g}",
                facts=PublicFacts(endowment, multiplier, self.players),
                spec=Amount(0, endowment),
                repetitions=self.repetitions,
            )
            for endowment in self.endowments
            for multiplier in self.multipliers
        ]

    def form(self, asking: Asking) -> Fund:
        """The fund, and what the subject pays in."""
        return Fund(
            parties=(Party(seat=0, role="contributor"),),
            players=asking.facts["players"],
            endowment=asking.facts["endowment"],
            multiplier=asking.facts["multiplier"],
            contributions=None if asking.number is None else (asking.number,),
        )


STATED_PUBLIC_GOODS = stated_game(
    PublicGoodsRules, "stated choices: how much to put into a pot that grows and is shared out evenly"
)
