"""Trust: the sender decides how much of an endowment to send to another person, who receives a multiple of it and
decides how much of this to return. In the played game, the returner is not asked if nothing arrived. A missing or
illegal answer sends or returns nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import override

from ostrom.core import Amount, Event
from ostrom.core.effects import FlowForm, Telling, Transfer, sentence
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, decimals
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, format_amount, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game


@dataclass(frozen=True, slots=True)
class SendFacts(Facts):
    """The facts in the question to the sender."""

    endowment: float
    multiplier: float


@dataclass(frozen=True, slots=True)
class ReturnFacts(Facts):
    """The facts in the question to the returner."""

    endowment: float
    """The sender's initial amount."""
    multiplier: float
    sent: float
    received: float
    """The amount sent, multiplied."""


class StatedTrust(StatedRules, task="trust"):
    """Trust game, as stated choices of both roles."""

    roles: ClassVar[Mapping[str, Role]] = {
        "sender": Role("send", AmountList("Sent, of each endowment", "endowment"), field="send"),
        "returner": Role("give_back", AmountList("Returned, of what arrived", "received"), field="return"),
    }
    quick: ClassVar[Mapping[str, Any]] = {"endowments": [10, 1000], "sent": [0.2, 0.6, 1.0], "repetitions": 2}

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """The sender's endowments, in dollars."""
    multiplier: float = Field(3.0, gt=0, le=100)
    """The factor by which the amount sent is multiplied before it arrives."""
    sent: Shares = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """The sender's possible transfers, as shares of the endowment. The returner is asked once for each of them. The
    returner is also asked after a transfer of 0, when it can return nothing: a wrong answer there shows that the
    subject did not read the question."""
    repetitions: Repetitions = 10

    @override
    def cells(self) -> list[GridCell]:
        senders = [
            GridCell("sender", f"endowment={own:g}", SendFacts(own, self.multiplier), Amount(0, own), self.repetitions)
            for own in self.endowments
        ]
        return senders + [self._returner(endowment, share) for endowment in self.endowments for share in self.sent]

    def _returner(self, endowment: float, share: float) -> GridCell:
        sent = round(share * endowment, 10)
        received = round(sent * self.multiplier, 10)
        facts, condition = ReturnFacts(endowment, self.multiplier, sent, received), f"endowment={endowment:g}"
        return GridCell(
            "returner", f"{condition} sent={100 * share:.10g}%", facts, Amount(0, received), self.repetitions
        )

    @override
    def form(self, item: ItemAnswered) -> FlowForm:
        returns, amount, multiplier = item.role == "returner", item.amount, item.facts["multiplier"]
        arrives = None if amount is None else amount * multiplier
        return FlowForm(
            parties=parties("sender", "returner", asked=1 if returns else 0),
            endowment=item.facts["endowment"],
            multiplier=multiplier,
            sent=item.facts["sent"] if returns else amount,
            received=item.facts["received"] if returns else arrives,
            returned=amount if returns else None,
        )


class MoneySent(Event, tag="sent"):
    """Seat 0 sent a part of its endowment to seat 1."""

    endowment: float
    amount: float
    received: float
    """The amount that arrived."""


class Returned(Event, tag="returned"):
    """Seat 1 returned a part of the received amount to seat 0."""

    amount: float


class TrustRules(PlayedRules, task="trust", moves=(MoneySent, Returned)):
    """Trust game, played by two seats."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (
        PlayedRole("sender", "sent", seat=0),
        PlayedRole("returner", "returned", seat=1, turn=2, before="sent"),
    )
    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The sender's initial amount. The returner has none."""
    multiplier: float = Field(3.0, gt=0, le=100, allow_inf_nan=False)
    """The factor by which the amount sent is multiplied before it arrives."""

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        if role == "sender":
            return SendFacts(self.endowment, self.multiplier), Amount(0, self.endowment)
        received = self.received(before)
        return ReturnFacts(self.endowment, self.multiplier, before, received), Amount(0, received)

    def received(self, sent: Number) -> Number:
        """Return the amount that arrives."""
        return decimals(sent * self.multiplier, 9)

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        if role == "returner":
            return Returned(amount=answers[0])
        return MoneySent(endowment=self.endowment, amount=answers[0], received=self.received(answers[0]))

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        sent, returned = moves[0][0], moves[1][1]
        return [self.endowment - sent + returned, self.received(sent) - returned]

    @override
    def key(self, seats: int) -> Number:
        return self.multiplier / (1 + self.multiplier)

    @override
    def form(self, seats: int, moves: Sequence[Any]) -> FlowForm:
        return FlowForm(
            parties=parties("sender", "returner"),
            endowment=self.endowment,
            multiplier=self.multiplier,
            sent=moves[0].amount if moves else None,
            received=moves[0].received if moves else None,
            returned=moves[1].amount if len(moves) > 1 else None,
        )

    @override
    def tell(self, move: MoneySent | Returned) -> Telling:
        if isinstance(move, Returned):
            transfer = Transfer(source=1, target=0, amount=move.amount)
            return Telling(text=(sentence(1, f" returns {format_amount(move.amount)}"),), effects=(transfer,))
        gets = f" gets {format_amount(move.received)}"
        words = sentence(0, f" sends {format_amount(move.amount)} of {format_amount(move.endowment)}, ", 1, gets)
        transfer = Transfer(source=0, target=1, amount=move.amount, arrives=move.received)
        return Telling(text=(words,), effects=(transfer,))


STATED = stated_game(StatedTrust, "how much to entrust to another person, and how much of what was entrusted to return")
PLAYED = played_game(
    TrustRules,
    "one sends money that grows on the way; the other sends back what it likes",
    roles=("sender", "returner"),
    measured=True,
)
