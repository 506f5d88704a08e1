"""Ultimatum: how much of a pot to offer, and which offers to accept; of a rejected one neither gets anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Amount, Event, Play, Table
from ostrom.core.effects import Choose, Split, Telling, sentence
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import Asked, Part, PlayedRules, ask, end, exact, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Askings, ChoiceList, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("accept", "reject")


@dataclass(frozen=True, slots=True)
class OfferFacts(Facts):
    """What the proposer knows."""

    pot: float


@dataclass(frozen=True, slots=True)
class RespondFacts(Facts):
    """What the responder knows."""

    pot: float
    offer: float
    """What the responder would get, in money."""


class StatedUltimatum(StatedRules, task="ultimatum"):
    """Ultimatum game, as stated choices of both roles."""

    roles: ClassVar[Mapping[str, Role]] = {
        "proposer": Role("offer", AmountList("Offered, of each pot", "pot"), field="offer"),
        "responder": Role(
            "respond", ChoiceList("offer", OPTIONS[::-1], "offer", "The same pot, other offers", ("pot",))
        ),
    }
    quick: ClassVar[Mapping[str, Any]] = {
        "pots": [10, 1000],
        "offers": [0, 0.1, 0.2, 0.3, 0.4, 0.5],
        "repetitions": 2,
        "responses": 2,
    }

    pots: Amounts = (10.0, 100.0, 1000.0)
    """What is to be divided, in dollars."""
    offers: Shares = tuple(percent / 100 for percent in range(0, 101, 5))
    """The parts of the pot that the responder is offered."""
    repetitions: Askings = 10
    """Of the proposer's questions."""
    responses: Askings = 20
    """Repetitions of the responder's questions."""

    def cells(self) -> list[Cell]:
        """An offer for every pot, and an answer to every offer."""
        proposals = [
            Cell("proposer", f"pot={pot:g}", OfferFacts(pot), Amount(0, pot), self.repetitions) for pot in self.pots
        ]
        responses = [
            Cell("responder", f"pot={pot:g} offer={100 * share:.10g}%", facts, OPTIONS, self.responses)
            for pot, share in product(self.pots, self.offers)
            for facts in [RespondFacts(pot, round(share * pot, 10))]
        ]
        return proposals + responses

    def form(self, item: ItemAnswered) -> Split:
        """The pot, the offer, and what the responder says to it."""
        responds = item.role == "responder"
        return Split(
            parties=parties("proposer", "responder", asked=1 if responds else 0),
            pot=item.facts["pot"],
            offer=item.facts["offer"] if responds else item.amount,
            consent=True,
            accepted=item.answer == "accept" if responds and item.answer is not None else None,
        )


class Offered(Event, tag="offered"):
    """Seat 0 made its offer to seat 1."""

    pot: float
    offer: float


class Responded(Event, tag="responded"):
    """Seat 1 took or refused it."""

    accepted: bool


class UltimatumRules(PlayedRules, task="ultimatum", moves=(Offered, Responded)):
    """Ultimatum game, played."""

    series: ClassVar[Mapping[str, str]] = {"offer": "offered.offer", "accepted": "responded.accepted"}
    parts: ClassVar[tuple[Part, ...]] = (
        Part("proposer", "offer", seat=0),
        Part("responder", "response", seat=1, turn=2, options=OPTIONS, fallback="reject", before="offer"),
    )
    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What is to be divided, in dollars."""

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A part of the pot; then, whether it will do."""
        if role == "proposer":
            return OfferFacts(self.pot), Amount(0, self.pot)
        return RespondFacts(self.pot, before), OPTIONS

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """As was offered, or nothing."""
        offer, accepted = moves[0][0], moves[1][1] == OPTIONS.index("accept")
        return [either(accepted, self.pot - offer, 0.0), either(accepted, offer, 0.0)]

    def form(self, seats: int, moves: Sequence[Any]) -> Split:
        """The pot as it would be divided, and whether the offer was taken."""
        return Split(
            parties=parties("proposer", "responder"),
            pot=self.pot,
            offer=moves[0].offer if moves else None,
            consent=True,
            accepted=moves[1].accepted if len(moves) > 1 else None,
        )

    def tell(self, move: Offered | Responded) -> Telling:
        """What was offered, or answered."""
        if isinstance(move, Offered):
            words = sentence(0, " offers ", 1, f" {exact(move.offer)} of {exact(move.pot)}")
            return Telling(text=(words,), effects=(Choose(seat=0, value=move.offer),))
        choice = Choose(seat=1, value="accept" if move.accepted else "reject")
        return Telling(text=(sentence(1, " accepts" if move.accepted else " rejects"),), effects=(choice,))


def play(rules: UltimatumRules, table: Table) -> Play:
    """Seat 0 offers, then seat 1 responds. Who gives no legal answer offers nothing, or has agreed to nothing and so
    rejects."""
    proposer, responder = table.seats
    (offered,) = yield [ask(rules, table, proposer, "proposer", *rules.asks("proposer", 2))]
    offer = offered.value
    table.record(Offered(pot=rules.pot, offer=offer))
    known, options = rules.asks("responder", 2, before=offer)
    (response,) = yield [ask(rules, table, responder, "responder", known, options)]
    table.record(Responded(accepted=response.value == "accept"))
    end(table, rules.paid([[offer], [None, OPTIONS.index(response.value)]]))


STATED = stated_game(StatedUltimatum, "how much of a pot to offer, and which offers to accept")
PLAYED = played_game(UltimatumRules, "one offers another a part of a pot; if the other rejects, both get nothing", play)
