"""Ultimatum: the proposer decides how much of a pot to offer, and the responder which offers to accept. After a
rejection, both get nothing. In the played game, a missing or illegal answer counts as an offer of nothing, or as a
rejection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import override

from ostrom.core import Amount, Event
from ostrom.core.effects import Choose, Split, Telling, sentence
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, format_amount, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Askings, ChoiceList, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("accept", "reject")


@dataclass(frozen=True, slots=True)
class OfferFacts(Facts):
    """The facts in the question to the proposer."""

    pot: float


@dataclass(frozen=True, slots=True)
class RespondFacts(Facts):
    """The facts in the question to the responder."""

    pot: float
    offer: float
    """The amount that the responder would get."""


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
    """The pots to divide, in dollars."""
    offers: Shares = tuple(percent / 100 for percent in range(0, 101, 5))
    """The shares of the pot offered to the responder."""
    repetitions: Askings = 10
    """Number of times that each question to the proposer is asked."""
    responses: Askings = 20
    """Number of times that each question to the responder is asked."""

    @override
    def cells(self) -> list[GridCell]:
        cells = [
            GridCell("proposer", f"pot={pot:g}", OfferFacts(pot), Amount(0, pot), self.repetitions) for pot in self.pots
        ]
        for pot, share in product(self.pots, self.offers):
            condition, facts = f"pot={pot:g} offer={100 * share:.10g}%", RespondFacts(pot, round(share * pot, 10))
            cells.append(GridCell("responder", condition, facts, OPTIONS, self.responses))
        return cells

    @override
    def form(self, item: ItemAnswered) -> Split:
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
    """Seat 1 accepted or rejected the offer."""

    accepted: bool


class UltimatumRules(PlayedRules, task="ultimatum", moves=(Offered, Responded)):
    """Ultimatum game, played by two seats."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (
        PlayedRole("proposer", "offer", seat=0),
        PlayedRole("responder", "response", seat=1, turn=2, options=OPTIONS, fallback="reject", before="offer"),
    )
    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The pot to divide, in dollars."""

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        if role == "proposer":
            return OfferFacts(self.pot), Amount(0, self.pot)
        return RespondFacts(self.pot, before), OPTIONS

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        if role == "proposer":
            return Offered(pot=self.pot, offer=answers[0])
        return Responded(accepted=answers[0] == "accept")

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        offer, accepted = moves[0][0], moves[1][1] == OPTIONS.index("accept")
        return [either(accepted, self.pot - offer, 0.0), either(accepted, offer, 0.0)]

    @override
    def form(self, seats: int, moves: Sequence[Any]) -> Split:
        return Split(
            parties=parties("proposer", "responder"),
            pot=self.pot,
            offer=moves[0].offer if moves else None,
            consent=True,
            accepted=moves[1].accepted if len(moves) > 1 else None,
        )

    @override
    def tell(self, move: Offered | Responded) -> Telling:
        if isinstance(move, Offered):
            words = sentence(0, " offers ", 1, f" {format_amount(move.offer)} of {format_amount(move.pot)}")
            return Telling(text=(words,), effects=(Choose(seat=0, value=move.offer),))
        choice = Choose(seat=1, value="accept" if move.accepted else "reject")
        return Telling(text=(sentence(1, " accepts" if move.accepted else " rejects"),), effects=(choice,))


STATED = stated_game(StatedUltimatum, "how much of a pot to offer, and which offers to accept")
PLAYED = played_game(
    UltimatumRules,
    "one offers another a part of a pot; if the other rejects, both get nothing",
    roles=("proposer", "responder"),
    measured=True,
)
