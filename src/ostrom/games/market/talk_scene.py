"""The messages of a market in replays and films."""

from ostrom.core.effects import Say, Sentence, Telling, sentence
from ostrom.games.market.talk import ALL, MarketMessageSaid


def tell_message(event: MarketMessageSaid) -> Telling:
    """Return the telling of a message."""
    return Telling(
        turn=event.round, phase="speak", text=_addressed(event), effects=(Say(seat=event.seat, text=event.text),)
    )


def _addressed(event: MarketMessageSaid) -> tuple[Sentence, ...]:
    """Return a sentence with the recipient of a message that is not to all."""
    if event.to == ALL:
        return ()
    if isinstance(event.to, int):
        return (sentence(event.seat, " writes to ", event.to, " alone"),)
    return (sentence(event.seat, f" writes to the {event.to}"),)
