"""How a game of Offers is shown: two seats with the pie between them, the offers, and what the agreement is worth."""

from ostrom.core import Event
from ostrom.core.effects import Mark, Middle, Set, Telling, Transfer, sentence
from ostrom.core.scene import Card, Centre, Flow, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom_offers.events import Accepted, GameEnded, Offered, PatienceDrawn, Rejected
from ostrom_offers.rules import OffersRules


def scene(rules: OffersRules, seats: int) -> Scene:
    """Seats with what they get around the pie."""
    points = {"unit": "points", "digits": 2}
    return Scene(
        layout="table",
        title="Offers",
        clock="round",
        horizon=rules.rounds,
        pace=1,
        final="value",
        course="offer",
        quantities={
            "value": Quantity(title="Value of its part", **points),
            "part": Quantity(title="Part of the pie", **points),
            "patience": Quantity(title="Patience", digits=2, low=0, high=1),
            "offer": Quantity(title="Offer", of="table", low=0, high=rules.pie, **points),
        },
        flows={"value": Flow(title="Value", of="value", tone="good")},
        phases=(Phase(name="offer", title="Offer"), Phase(name="response", title="Response")),
        card=Card(quantity="value", notes=(QuantityField(quantity="patience", title="patience"),)),
        centre=Centre(quantity="offer", title="Offer"),
        strip=Strip(bars="offer"),
        standing=(
            QuantityField(quantity="value"),
            QuantityField(quantity="part"),
            QuantityField(quantity="patience"),
        ),
    )


class OffersTeller(Teller):
    """Folds the events of a game of Offers."""

    def __init__(self, rules: OffersRules, seats: int) -> None:
        self._rules = rules

    def opening(self) -> Telling:
        """The pie is whole."""
        rules = self._rules
        words = f"two seats divide {rules.pie:g} points by offers in turn, in at most {rules.rounds} rounds"
        return Telling(text=(sentence(words),), effects=(Set(values={"value": (0.0, 0.0), "part": (0.0, 0.0)}),))

    def tell(self, event: Event) -> Telling:
        """What an event means."""
        match event:
            case PatienceDrawn():
                words = sentence("each seat learns its own patience")
                return Telling(text=(words,), effects=(Set(values={"patience": tuple(event.patience)}),))
            case Offered():
                words = sentence(event.seat, " offers ", 1 - event.seat, f" {event.offer:.2f} of {self._rules.pie:g}")
                effects = (Set(values={"offer": event.offer}),)
                return Telling(turn=event.round, phase="offer", text=(words,), effects=effects)
            case Rejected():
                words = sentence(event.seat, " rejects the offer")
                return Telling(turn=event.round, phase="response", text=(words,), effects=(Mark(tone="bad"),))
            case Accepted():
                effects = (Set(values={"part": tuple(event.parts)}), Mark(tone="good"))
                words = sentence(event.seat, " accepts the offer")
                return Telling(turn=event.round, phase="response", title=words, effects=effects)
            case GameEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of Offers: {event!r}")


def _tell_end(event: GameEnded) -> Telling:
    first, second = event.values
    words = sentence(0, f" ends with a value of {first:.2f}, ", 1, f" with {second:.2f}")
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence("the end"),
        text=(words,),
        effects=(
            Transfer(kind="value", source="table", target="each", amount=(first, second)),
            Set(values={"value": (first, second)}),
        ),
        middle=Middle(title="Value", figure=f"{first + second:,.2f}", notes=(f"after {event.round} rounds",)),
    )


PRESENTATION = Presentation(scene, OffersTeller)
