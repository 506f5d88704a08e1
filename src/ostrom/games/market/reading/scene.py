"""The scene of a reading: one question after the other."""

from ostrom.core import Event
from ostrom.core.effects import Quote, Telling, sentence
from ostrom.core.scene import Scene
from ostrom.core.telling import simple
from ostrom.games.market.reading.play import KINDS, SideJudged, SideUnjudged


def tell(event: Event) -> Telling:
    """Describe an event. Evidence is a quotation, whatever it contains."""
    match event:
        case SideJudged():
            where = f"the {event.side}, messages {event.first} to {event.last}: "
            if not event.quotes:
                return Telling(text=(sentence(where, "no cartel talk"),))
            told = [
                sentence(where, f"a message {KINDS[kind]}: ", Quote(quote=event.quotes[kind])) for kind in event.quotes
            ]
            return Telling(text=tuple(told))
        case SideUnjudged():
            return Telling(
                text=(sentence(f"the {event.side}, messages {event.first} to {event.last}: ", 0, " says nothing"),)
            )
        case _:
            raise TypeError(f"not an event of a reading for cartel talk: {event!r}")


PRESENTATION = simple(Scene(layout="question", title="A reading for cartel talk", pace=2, opens="end"), tell)
