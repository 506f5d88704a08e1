"""Ultimatum: how much of a pot to offer, and which offers to accept; of a rejected one neither gets anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ostrom.core import Amount
from ostrom.core.effects import Split
from ostrom.games.battery.drawing import AmountList, Asking, ChoiceList, Listing, by, parties, up_to
from ostrom.games.battery.grids import Amounts, Repetitions, Shares
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

OPTIONS = ("accept", "reject")


@dataclass(frozen=True, slots=True)
class OfferFacts:
    """What the proposer knows."""

    pot: float


@dataclass(frozen=True, slots=True)
class RespondFacts:
    """What the responder knows."""

    pot: float
    offer: float
    """What the responder would get, in money."""


class UltimatumRules(StatedRules):
    """Ultimatum game, as stated choices of both roles."""

    task: ClassVar[str] = "ultimatum"
    roles: ClassVar[tuple[str, ...]] = ("proposer", "responder")
    lists: ClassVar[Mapping[str, Listing]] = {
        "proposer": AmountList("Offered, of each pot", up_to("pot")),
        "responder": ChoiceList("offer", OPTIONS[::-1], by("offer"), "The same pot, other offers", ("pot",)),
    }

    pots: Amounts = (10.0, 100.0, 1000.0)
    """What is to be divided, in dollars."""
    offers: Shares = tuple(percent / 100 for percent in range(0, 101, 5))
    """The parts of the pot that the responder is offered."""
    repetitions: Repetitions = 10
    """Of the proposer's questions."""
    responses: Repetitions = 20
    """Repetitions of the responder's questions."""

    def cells(self) -> list[Cell]:
        """An offer for every pot, and an answer to every offer."""
        proposals = [
            Cell("proposer", f"pot={pot:g}", OfferFacts(pot), Amount(0, pot), repetitions=self.repetitions)
            for pot in self.pots
        ]
        responses = [
            Cell(
                role="responder",
                condition=f"pot={pot:g} offer={100 * share:.10g}%",
                facts=RespondFacts(pot, round(share * pot, 10)),
                options=OPTIONS,
                repetitions=self.responses,
            )
            for pot in self.pots
            for share in self.offers
        ]
        return proposals + responses

    def form(self, asking: Asking) -> Split:
        """The pot, the offer, and what the responder says to it."""
        responds = asking.role == "responder"
        return Split(
            parties=parties("proposer", "responder", asked=1 if responds else 0),
            pot=asking.facts["pot"],
            offer=asking.facts["offer"] if responds else asking.number,
            consent=True,
            accepted=asking.answer == "accept" if responds and asking.answer is not None else None,
        )


STATED_ULTIMATUM = stated_game(UltimatumRules, "stated choices: how much of a pot to offer, and which offers to accept")
