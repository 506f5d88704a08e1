"""The scene of alternating offers: the two seats on the sides of a line for the division of the pie. Each seat's last
offer is a mark at the part that it would give the first proposer, and an agreement is marked on the line."""

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Say, Set, Telling, sentence
from ostrom.core.scene import Card, Phase, Prices, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.market.alternating_offers.events import (
    BargainEnded,
    OfferAnswered,
    OfferMessageSaid,
    OutsideOptionsDealt,
    PartOffered,
)
from ostrom.games.market.alternating_offers.rules import ROLES, AlternatingOffersRules


def scene(rules: AlternatingOffersRules, seats: int) -> Scene:
    """Return the scene of a game."""
    points = {"unit": "points", "low": 0, "high": rules.pie}
    speaks = (Phase(name="message", title="Message"),) if rules.messages else ()
    notes = (QuantityField(quantity="offered", title="offered"),)
    options = bool(rules.outside or rules.outside_second)
    return Scene(
        layout="sides",
        title="Alternating offers",
        clock="round",
        horizon=rules.rounds,
        pace=1,
        final="payoff",
        course="division",
        roles=ROLES,
        quantities={
            "payoff": Quantity(title="Payoff", **points),
            "part": Quantity(title="Part", **points),
            "outside": Quantity(title="Outside option", **points),
            "offered": Quantity(title="Last offer", **points),
            "proposed": Quantity(title="Part of the first proposer", **points),
            "division": Quantity(title="Part of the first proposer by round", of="table", **points),
            "agreed": Quantity(title="Part of the first proposer", of="table", **points),
        },
        phases=(*speaks, Phase(name="offer", title="Offer"), Phase(name="response", title="Response")),
        card=Card(
            quantity="payoff",
            notes=(*notes, *((QuantityField(quantity="outside", title="outside"),) if options else ())),
        ),
        prices=Prices(quotes="proposed", trades="agreed", right=(1,)),
        strip=Strip(bars="division"),
        standing=(
            QuantityField(quantity="payoff"),
            QuantityField(quantity="part"),
            QuantityField(quantity="offered"),
            *((QuantityField(quantity="outside"),) if options else ()),
        ),
    )


class AlternatingOffersTeller(Teller):
    """Describes the events of a bargain, one after the other."""

    def __init__(self, rules: AlternatingOffersRules, seats: int) -> None:
        self._rules = rules
        self._offered: list[float | None] = [None, None]
        self._proposed: list[float | None] = [None, None]

    @override
    def opening(self) -> Telling:
        rules = self._rules
        rounds = f"in at most {rules.rounds} round{'s' if rules.rounds > 1 else ''}"
        words = f"two seats divide {rules.pie:,.6g} points by offers in turn, {rounds}"
        # Under private options, the outside options are set by the event that deals them.
        outside = (None, None) if rules.private else rules.largest_outside
        return Telling(
            text=(sentence(words),), effects=(Set(values={"payoff": (0.0, 0.0), "outside": tuple(outside)}),)
        )

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case OutsideOptionsDealt():
                words = sentence("each seat learns its private outside option")
                return Telling(text=(words,), effects=(Set(values={"outside": tuple(event.outside)}),))
            case OfferMessageSaid():
                effects = (Say(seat=event.seat, text=event.text),)
                return Telling(turn=event.round, phase="message", effects=effects)
            case PartOffered():
                return self._tell_offer(event)
            case OfferAnswered():
                return self._tell_answer(event)
            case BargainEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of alternating offers: {event!r}")

    def _tell_offer(self, event: PartOffered) -> Telling:
        rest = self._rules.pie - event.offer
        first = event.offer if event.seat else rest
        self._offered[event.seat], self._proposed[event.seat] = event.offer, first
        values = {"offered": tuple(self._offered), "proposed": tuple(self._proposed), "division": first}
        words = sentence(event.seat, " offers ", 1 - event.seat, f" {event.offer:,.6g} and would keep {rest:,.6g}")
        return Telling(turn=event.round, phase="offer", title=words, effects=(Set(values=values),))

    def _tell_answer(self, event: OfferAnswered) -> Telling:
        verbs = {"accept": " accepts the offer", "reject": " rejects the offer", "quit": " quits"}
        agreed = (Set(values={"agreed": self._proposed[1 - event.seat] or 0.0}), Mark(tone="good"))
        effects = agreed if event.response == "accept" else (Mark(tone="bad"),)
        words = sentence(event.seat, verbs[event.response])
        return Telling(turn=event.round, phase="response", text=(words,), effects=effects)


_ENDINGS = {
    "agreement": "the seats agree",
    "quit": "no agreement",
    "breakdown": "bargaining breaks down",
    "rounds": "the last round ends without agreement",
}


def _tell_end(event: BargainEnded) -> Telling:
    values = {"payoff": tuple(event.payoffs), "part": tuple(event.parts), "outside": tuple(event.outside)}
    amounts = []
    for part, payoff in zip(event.parts, event.payoffs, strict=True):
        worth = "" if payoff == part else f", worth {payoff:,.6g}"
        amounts.append(f" gets {part:,.6g}{worth}")
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence(f"{_ENDINGS[event.ending]} in round {event.round}"),
        text=(sentence(0, f"{amounts[0]}; ", 1, amounts[1]),),
        effects=(Set(values=values), Mark(tone="gold" if event.ending == "agreement" else "bad")),
        joined=True,
    )


PRESENTATION = Presentation(scene, AlternatingOffersTeller)
