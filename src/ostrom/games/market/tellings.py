"""The tellings that markets share in replays and films: messages, and the end of a game."""

from collections.abc import Sequence

from ostrom.core.effects import Mark, Say, Sentence, Set, Telling, listed, sentence
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


def tell_end(round_: int, values: Sequence[float], payoffs: Sequence[float]) -> Telling:
    """Return the telling of the end of a game, when private values become public."""
    best = max(round(payoff, 9) for payoff in payoffs)
    winners = [seat for seat, payoff in enumerate(payoffs) if round(payoff, 9) == best]
    most = " gains most, " if len(winners) == 1 else " gain most, "
    return Telling(
        turn=round_,
        phase="end",
        title=sentence(f"end after round {round_}"),
        text=(sentence(*listed(winners), f"{most}{best:,.6g}"),),
        effects=(Set(values={"gains": tuple(payoffs), "value": tuple(values)}), Mark(tone="gold")),
        joined=True,
    )
