"""Trust: how much of an endowment to send to somebody, who gets it multiplied; and how much of that to return."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from ostrom.core import Amount
from ostrom.core.effects import Flow
from ostrom.games.battery.drawing import AmountList, Asking, Listing, parties, up_to
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
    lists: ClassVar[Mapping[str, Listing]] = {
        "sender": AmountList("Sent, of each endowment", up_to("endowment")),
        "returner": AmountList("Returned, of what arrived", up_to("received")),
    }

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """What the sender has to send from, in dollars."""
    multiplier: float = Field(3.0, gt=0, le=100)
    """What is sent is multiplied by this before it arrives."""
    sent: Shares = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """The parts of the endowment after which the returner is asked. After nothing was sent there is nothing to return;
    that is asked all the same, and shows who reads the question."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

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

    def form(self, asking: Asking) -> Flow:
        """What is sent, what arrives, and what comes back."""
        facts, number = asking.facts, asking.number
        endowment, multiplier = facts["endowment"], facts["multiplier"]
        if asking.role == "returner":
            return Flow(
                parties=parties("sender", "returner", asked=1),
                endowment=endowment,
                multiplier=multiplier,
                sent=facts["sent"],
                received=facts["received"],
                returned=number,
            )
        return Flow(
            parties=parties("sender", "returner", asked=0),
            endowment=endowment,
            multiplier=multiplier,
            sent=number,
            received=None if number is None else number * multiplier,
        )


STATED_TRUST = stated_game(
    TrustRules, "stated choices: how much to entrust to somebody, and how much of what was entrusted to return"
)
