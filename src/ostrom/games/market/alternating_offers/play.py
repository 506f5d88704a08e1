"""The generator that plays a bargain by alternating offers, and the view of a seat. A round is a step for the offer and
a step for the response. If the rules have messages, the proposer writes one in a step before its offer."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ostrom.core import Amount, Choice, Play, Question, Spec, Table, Text
from ostrom.core.table import Past
from ostrom.games.market.alternating_offers.bargain import (
    BREAKDOWN,
    OUTSIDE,
    Bargain,
    drawn_outside,
    opening,
    propose,
    settle,
)
from ostrom.games.market.alternating_offers.events import (
    BargainEnded,
    Ending,
    OfferAnswered,
    OfferMessageSaid,
    OutsideOptionsDealt,
    PartOffered,
)
from ostrom.games.market.alternating_offers.rules import AlternatingOffersRules, bargain_roles

MESSAGE: Final = "message"
OFFER: Final = "offer"
RESPONSE: Final = "response"
"""The phases of a round."""
RESPONSES: Final = ("reject", "accept", "quit")
"""The responses, at the places of their numbers."""


class PastOffer(NamedTuple):
    """An offer that was rejected."""

    round: int
    seat: int
    """The seat that made the offer."""
    amount: float
    """The amount for the other seat."""


class OfferMessage(NamedTuple):
    """A message."""

    round: int
    seat: int
    text: str


@dataclass(frozen=True)
class AlternatingOffersView:
    """The bargain as one seat sees it."""

    rules: AlternatingOffersRules
    round: int
    """The number of the round, counted from 1."""
    seat: int
    role: str
    outside: float
    """The seat's own outside option."""
    other_outside: float | None
    """The outside option of the other seat; None if it is private."""
    worth: float
    """The part of its worth that an amount has for this seat in this round."""
    offer: float | None
    """The offer to this seat; None if the seat proposes."""
    history: Past[PastOffer]
    """The rejected offers of all past rounds."""
    messages: Past[OfferMessage]
    """The messages of this and all past rounds."""


def play(rules: AlternatingOffersRules, table: Table) -> Play:
    """Play until the seats agree or bargaining ends without agreement."""
    bargain = _Bargaining(rules, table)
    if rules.private:
        table.record(OutsideOptionsDealt(outside=bargain.outside))
    ending: Ending | None = None
    while ending is None:
        bargain.round += 1
        if rules.messages:
            [answer] = yield [bargain.message_question()]
            bargain.hear(str(answer.value))
        [answer] = yield [bargain.offer_question()]
        bargain.offer(answer.value)
        [answer] = yield [bargain.response_question()]
        ending = bargain.respond(str(answer.value))
    table.record(
        BargainEnded(
            round=bargain.round,
            ending=ending,
            outside=bargain.outside,
            parts=bargain.state.parts[:, 0].tolist(),
            payoffs=bargain.state.payoffs[:, 0].tolist(),
        )
    )


class _Bargaining:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: AlternatingOffersRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.outside = _outside_options(rules, table)
        self.state: Bargain = opening(np.asarray(self.outside)[:, None])
        self.round = 0
        self.history: list[PastOffer] = []
        self.messages: list[OfferMessage] = []
        self.amount = Amount(0, rules.pie, whole=rules.tick == 1)
        self.responses = Choice(RESPONSES if rules.quits else RESPONSES[:2])

    @property
    def proposer(self) -> int:
        return (self.round - 1) % 2

    def _ask(self, seat: int, phase: str, spec: Spec, fallback: Any, offer: float | None = None) -> Question:
        view = AlternatingOffersView(
            rules=self.rules,
            round=self.round,
            seat=seat,
            role=bargain_roles(2)[seat],
            outside=self.outside[seat],
            other_outside=None if self.rules.private else self.outside[1 - seat],
            worth=float(self.state.worth[seat, 0]),
            offer=offer,
            history=Past(self.history),
            messages=Past(self.messages),
        )
        return self.table.ask(self.table.seats[seat], phase, self.round, spec, view, fallback=fallback)

    def message_question(self) -> Question:
        return self._ask(self.proposer, MESSAGE, Text(self.rules.message_words), "")

    def hear(self, text: str) -> None:
        if text.strip():
            self.messages.append(OfferMessage(self.round, self.proposer, text))
            self.table.record(OfferMessageSaid(round=self.round, seat=self.proposer, text=text))

    def offer_question(self) -> Question:
        # An offer of nothing is the one that is least likely to be accepted, so a missing answer costs a round at most.
        return self._ask(self.proposer, OFFER, self.amount, 0)

    def offer(self, value: Any) -> None:
        self.state = propose(self.state, np.full((2, 1), float(value)))
        self.table.record(PartOffered(round=self.round, seat=self.proposer, offer=float(value)))

    def response_question(self) -> Question:
        return self._ask(1 - self.proposer, RESPONSE, self.responses, "reject", float(self.state.offer[0]))

    def respond(self, response: str) -> Ending | None:
        """Record the response. Return the reason if bargaining ends."""
        proposer, offer = self.proposer, float(self.state.offer[0])
        self.table.record(OfferAnswered(round=self.round, seat=1 - proposer, response=response))
        broken = self.table.chance.uniform(BREAKDOWN, self.round) < self.rules.breakdown
        number, last = RESPONSES.index(response), self.round >= self.rules.rounds
        self.state = settle(self.state, np.asarray([number]), last, broken, self.rules)
        if response == "accept":
            return "agreement"
        self.history.append(PastOffer(self.round, proposer, offer))
        if response == "quit":
            return "quit"
        return "rounds" if last else "breakdown" if broken else None


def _outside_options(rules: AlternatingOffersRules, table: Table) -> list[float]:
    largest = [float(amount) for amount in rules.largest_outside]
    if not rules.private:
        return largest
    draws = [table.chance.uniform(OUTSIDE, 0, seat.index) for seat in table.seats]
    return [float(drawn_outside(draw, amount, rules.tick)) for draw, amount in zip(draws, largest, strict=True)]
