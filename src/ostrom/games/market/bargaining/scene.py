"""The scene of bargaining: the double auction's, with one seat on each side of the price line."""

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Telling, sentence
from ostrom.core.scene import Scene
from ostrom.core.telling import Presentation
from ostrom.games.market.bargaining.play import BargainingAborted, BargainingRules
from ostrom.games.market.double_auction.scene import DoubleAuctionTeller
from ostrom.games.market.double_auction.scene import scene as scene_of_market


def scene(rules: BargainingRules, seats: int) -> Scene:
    """Return the scene of a game."""
    return scene_of_market(rules, seats, "Bargaining")


class BargainingTeller(DoubleAuctionTeller):
    """Describes the events of bargaining, one after the other."""

    @override
    def tell(self, event: Event) -> Telling:
        if isinstance(event, BargainingAborted):
            text = sentence(event.seat, " gives no legal quote any more, and the game ends early")
            return Telling(turn=event.round, phase="clear", text=(text,), effects=(Mark(tone="bad"),))
        return super().tell(event)


PRESENTATION = Presentation(scene, BargainingTeller)
