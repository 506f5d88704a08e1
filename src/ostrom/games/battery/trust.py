"""Trust: how much of an endowment to send to somebody, who gets it multiplied; and how much of that to return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Amount, Event, Play, Table
from ostrom.core.effects import Flow, Telling, Transfer, sentence
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, decimals
from ostrom.games.battery.played import Asked, Part, PlayedRules, ask, end, exact, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game


@dataclass(frozen=True, slots=True)
class SendFacts(Facts):
    """What the sender knows."""

    endowment: float
    multiplier: float


@dataclass(frozen=True, slots=True)
class ReturnFacts(Facts):
    """What the returner knows."""

    endowment: float
    """What the sender had."""
    multiplier: float
    sent: float
    received: float
    """What was sent, multiplied."""


class StatedTrust(StatedRules, task="trust"):
    """Trust game, as stated choices of both roles."""

    roles: ClassVar[Mapping[str, Role]] = {
        "sender": Role("send", AmountList("Sent, of each endowment", "endowment"), field="send"),
        "returner": Role("give_back", AmountList("Returned, of what arrived", "received"), field="return"),
    }
    quick: ClassVar[Mapping[str, Any]] = {"endowments": [10, 1000], "sent": [0.2, 0.6, 1.0], "repetitions": 2}

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """What the sender has to send from, in dollars."""
    multiplier: float = Field(3.0, gt=0, le=100)
    """What is sent is multiplied by this before it arrives."""
    sent: Shares = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """The parts of the endowment after which the returner is asked. After nothing was sent there is nothing to return;
    that is asked all the same, and shows who reads the question."""
    repetitions: Repetitions = 10

    def cells(self) -> list[Cell]:
        """An amount to send for every endowment, and one to return after every part of it."""
        senders = [
            Cell("sender", f"endowment={own:g}", SendFacts(own, self.multiplier), Amount(0, own), self.repetitions)
            for own in self.endowments
        ]
        return senders + [self._returner(endowment, share) for endowment in self.endowments for share in self.sent]

    def _returner(self, endowment: float, share: float) -> Cell:
        sent = round(share * endowment, 10)
        received = round(sent * self.multiplier, 10)
        facts, condition = ReturnFacts(endowment, self.multiplier, sent, received), f"endowment={endowment:g}"
        return Cell("returner", f"{condition} sent={100 * share:.10g}%", facts, Amount(0, received), self.repetitions)

    def form(self, item: ItemAnswered) -> Flow:
        """What is sent, what arrives, and what comes back."""
        returns, amount, multiplier = item.role == "returner", item.amount, item.facts["multiplier"]
        arrives = None if amount is None else amount * multiplier
        return Flow(
            parties=parties("sender", "returner", asked=1 if returns else 0),
            endowment=item.facts["endowment"],
            multiplier=multiplier,
            sent=item.facts["sent"] if returns else amount,
            received=item.facts["received"] if returns else arrives,
            returned=amount if returns else None,
        )


class Sent(Event, tag="sent"):
    """Seat 0 sent to seat 1."""

    endowment: float
    amount: float
    received: float
    """What arrived."""


class Returned(Event, tag="returned"):
    """Seat 1 sent back."""

    amount: float


class TrustRules(PlayedRules, task="trust", moves=(Sent, Returned)):
    """Trust game, played."""

    series: ClassVar[Mapping[str, str]] = {
        "sent": "sent.amount",
        "received": "sent.received",
        "returned": "returned.amount",
    }
    parts: ClassVar[tuple[Part, ...]] = (
        Part("sender", "sent", seat=0),
        Part("returner", "returned", seat=1, turn=2, before="sent"),
    )
    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What the sender begins with; the other begins with nothing."""
    multiplier: float = Field(3.0, gt=0, le=100, allow_inf_nan=False)
    """What is sent is multiplied by this before it arrives."""

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A part of the endowment; then, of what arrived."""
        if role == "sender":
            return SendFacts(self.endowment, self.multiplier), Amount(0, self.endowment)
        received = self.received(before)
        return ReturnFacts(self.endowment, self.multiplier, before, received), Amount(0, received)

    def received(self, sent: Number) -> Number:
        """What arrives."""
        return decimals(sent * self.multiplier, 9)

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """What was kept and came back; what arrived and stayed."""
        sent, returned = moves[0][0], moves[1][1]
        return [self.endowment - sent + returned, self.received(sent) - returned]

    def key(self, seats: int) -> Number:
        """How much more arrives."""
        return self.multiplier / (1 + self.multiplier)

    def form(self, seats: int, moves: Sequence[Any]) -> Flow:
        """The money on its way."""
        return Flow(
            parties=parties("sender", "returner"),
            endowment=self.endowment,
            multiplier=self.multiplier,
            sent=moves[0].amount if moves else None,
            received=moves[0].received if moves else None,
            returned=moves[1].amount if len(moves) > 1 else None,
        )

    def tell(self, move: Sent | Returned) -> Telling:
        """What was sent, or returned."""
        if isinstance(move, Returned):
            transfer = Transfer(source=1, target=0, amount=move.amount)
            return Telling(text=(sentence(1, f" returns {exact(move.amount)}"),), effects=(transfer,))
        gets = f" gets {exact(move.received)}"
        words = sentence(0, f" sends {exact(move.amount)} of {exact(move.endowment)}, ", 1, gets)
        transfer = Transfer(source=0, target=1, amount=move.amount, arrives=move.received)
        return Telling(text=(words,), effects=(transfer,))


def play(rules: TrustRules, table: Table) -> Play:
    """Seat 0 sends, then seat 1 returns; it is not asked where nothing arrived. Who gives no legal answer sends, or
    returns, nothing."""
    sender, returner = table.seats
    (given,) = yield [ask(rules, table, sender, "sender", *rules.asks("sender", 2))]
    sent = given.value
    received = rules.received(sent)
    table.record(Sent(endowment=rules.endowment, amount=sent, received=received))
    returned = 0.0
    if received > 0:
        known, spec = rules.asks("returner", 2, before=sent)
        (back,) = yield [ask(rules, table, returner, "returner", known, spec)]
        returned = back.value
    table.record(Returned(amount=returned))
    end(table, rules.paid([[sent], [None, returned]]))


STATED = stated_game(StatedTrust, "how much to entrust to somebody, and how much of what was entrusted to return")
PLAYED = played_game(TrustRules, "one sends money that grows on the way; the other sends back what it likes", play)
