"""A game of Harvest in words and in numbers."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom_harvest.events import Collapsed, GameEnded, Harvested, MessageSaid, QuotaVoted, RoundEnded, Sanctioned


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat harvested, less its fines."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.holdings]


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds."""
    harvests = [event for event in events if isinstance(event, Harvested)]
    ends = [event for event in events if isinstance(event, RoundEnded)]
    quotas = {event.round: event.quota for event in events if isinstance(event, QuotaVoted)}
    return {
        "stock": [event.stock for event in harvests],
        "sustainable": [event.sustainable for event in harvests],
        "quota": [quotas.get(event.round) for event in harvests],
        "harvests": [event.harvests for event in harvests],
        "holdings": [event.holdings for event in ends],
    }


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines."""
    match event:
        case MessageSaid():
            return [f"  {names[event.seat]}: “{event.text}”" if event.text else f"  {names[event.seat]} says nothing"]
        case QuotaVoted():
            made = ", ".join("–" if one is None else f"{one:.2f}" for one in event.proposals)
            return [f"  quota: {made} → {'none' if event.quota is None else f'{event.quota:.2f}'}"]
        case Harvested():
            took = ", ".join(f"{name} {amount:.2f}" for name, amount in zip(names, event.harvests, strict=True))
            return [f"round {event.round}: stock {event.stock:.2f}", f"  harvest: {took}; {event.left:.2f} left"]
        case Sanctioned():
            how = f"is fined {event.fine:.2f}" if event.offence > 1 else "is warned"
            return [f"  {names[event.seat]} {how}: {event.excess:.2f} above the quota, offence {event.offence}"]
        case RoundEnded():
            return [f"  the stock grows to {event.stock:.2f}"] if event.stock else []
        case Collapsed():
            return [f"  the stock collapses: {event.left:.2f} left"]
        case GameEnded():
            who = ", ".join(names[seat] for seat in event.winners)
            return [f"end after round {event.round}: {who} with {max(event.holdings):.2f}"]
        case _:
            raise TypeError(f"not an event of Harvest: {event!r}")
