"""Trust: how much of an endowment to send to somebody, who gets it multiplied; and how much of that to return."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from ostrom.core import Amount
from ostrom.games.battery.grids import Amounts, Repetitions, Shares
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game


@dataclass(frozen=True, slots=True)
class SendFacts:
    """What the sender knows."""

    endowment: float
    multiplier: float


@dataclass(frozen=True, slots=True)
class ReturnFacts:
    """What the returner knows."""

    endowment: float
    """What the sender had."""
    multiplier: float
    sent: float
    received: float
    """What was sent, multiplied."""


class TrustRules(StatedRules):
    """Trust game, as stated choices of both roles."""

    task: ClassVar[str] = "trust"
    roles: ClassVar[tuple[str, ...]] = ("sender", "returner")

    endowments: Amounts = (10.0, 100.0, 1000.0)
    multiplier: float = Field(3.0, gt=0, le=100)
    sent: Shares = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """The parts of the endowment after which the returner is asked. After nothing was sent there is nothing to return;
    that is asked all the same, and shows who reads the question."""
    repetitions: Repetitions = 10

    def cells(self) -> list[Cell]:
        """An amount to send for every endowment, and one to return after every part of it."""
        senders = [
            Cell(
                role="sender",
                condition=f"endowment={endowment:g}",
                facts=SendFacts(endowment, self.multiplier),
                spec=Amount(0, endowment),
                repetitions=self.repetitions,
            )
            for endowment in self.endowments
        ]
        return senders + [self._returner(endowment, share) for endowment in self.endowments for share in self.sent]

    def _returner(self, endowment: float, share: float) -> Cell:
        sent = round(share * endowment, 10)
        received = round(sent * self.multiplier, 10)
        return Cell(
            role="returner",
            condition=f"endowment={endowment:g} sent={100 * share:.10g}%",
            facts=ReturnFacts(endowment, self.multiplier, sent, received),
            spec=Amount(0, received),
            repetitions=self.repetitions,
        )


STATED_TRUST = stated_game(
    TrustRules, "stated choices: how much to entrust to somebody, and how much of what was entrusted to return"
)
