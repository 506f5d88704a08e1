"""A game of Contribute & Punish in words and in numbers: readable lines for every event, and one array a quantity."""

import textwrap
from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.games.contribute_punish.events import Contributed, FundShared, GameEnded, MessageSaid, Punished, RoundEnded

_WIDTH = 80


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines. What a seat said stands in quotes, on lines of its own, whatever it holds."""
    match event:
        case MessageSaid():
            said = f"“{' '.join(event.text.split())}”" if event.text.strip() else "(says nothing)"
            return textwrap.wrap(f"{names[event.seat]}: {said}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
        case Contributed():
            gave = [f"{given:>5} of {start}" for given, start in zip(event.contributions, event.start, strict=True)]
            return [f"round {event.round}: contributions", *_by_seat(names, gave)]
        case FundShared():
            carried = f" (with {event.carry_in} carried over)" if event.carry_in else ""
            left = f", {event.carry_out} left over" if event.carry_out else ""
            return [f"  fund: {event.pot}{carried} grows to {event.grown}, {event.share} for each{left}"]
        case Punished():
            refund = f" ({event.asked - event.spend} refunded)" if event.asked > event.spend else ""
            punisher, target = names[event.punisher], names[event.target]
            return [f"  {punisher} spends {event.spend}{refund} and takes {event.damage} from {target}"]
        case RoundEnded():
            return [f"round {event.round}: balances", *_by_seat(names, [f"{held:>5}" for held in event.balances])]
        case GameEnded():
            verb = "win" if len(event.winners) > 1 else "wins"
            who = ", ".join(names[seat] for seat in event.winners)
            return [f"the end: {who} {verb} with {event.balances[event.winners[0]]}"]
        case _:
            raise TypeError(f"not an event of Contribute & Punish: {event!r}")


def _by_seat(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    width = max(len(name) for name in names)
    return [f"  {name:<{width}}  {text}" for name, text in zip(names, texts, strict=True)]


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds; those of seats are arrays over rounds of arrays over seats."""
    made: dict[str, list[Any]] = {
        name: []
        for name in (
            "start",
            "contributions",
            "pot",
            "grown",
            "share",
            "carry",
            "shared",
            "spend",
            "damage",
            "balances",
        )
    }
    for event in events:
        match event:
            case Contributed():
                made["start"].append(event.start)
                made["contributions"].append(event.contributions)
                made["spend"].append([0] * len(event.start))
                made["damage"].append([0] * len(event.start))
            case FundShared():
                made["pot"].append(event.pot)
                made["grown"].append(event.grown)
                made["share"].append(event.share)
                made["carry"].append(event.carry_out)
                made["shared"].append(event.balances)
            case Punished():
                made["spend"][-1][event.punisher] += event.spend
                made["damage"][-1][event.target] += event.damage
            case RoundEnded():
                made["balances"].append(event.balances)
    return made


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.balances]
