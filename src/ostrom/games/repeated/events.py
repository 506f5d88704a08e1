"""The events of a repeated game, and the same in numbers. Lists have one entry for each of the two seats."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.games.repeated.rules import RepeatedRules

EVENTS = EventRegistry()


@EVENTS.register
class RepeatedMessageSaid(Event, tag="message_said"):
    """A seat spoke to the other, or kept silent: the empty text is silence."""

    round: int
    seat: int
    text: str


@EVENTS.register
class RoundPlayed(Event, tag="round_played"):
    """Both chose at once."""

    round: int
    chosen: list[int]
    """What each meant to do: 0 is the first action of the matrix."""
    actions: list[int]
    """What each did, after the noise."""
    points: list[float]
    """What the round brought."""
    totals: list[float]
    """The points of all rounds so far."""


@EVENTS.register
class RepeatedEnded(Event, tag="game_ended"):
    """The last round is over."""

    round: int
    totals: list[float]
    winners: list[int]
    """The seats with the most points; both is a tie."""


def rounds_of(events: Sequence[Event]) -> list[RoundPlayed]:
    """The rounds alone."""
    return [event for event in events if isinstance(event, RoundPlayed)]


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds."""
    rounds = rounds_of(events)
    return {name: [getattr(one, name) for one in rounds] for name in ("chosen", "actions", "points", "totals")}


def finals(events: Sequence[Event]) -> list[float | None]:
    """The points of all rounds."""
    end = events[-1]
    assert isinstance(end, RepeatedEnded)
    return [*end.totals]


def figures(rules: RepeatedRules, events: Sequence[Event]) -> Figures:
    """The points of a round on average, and how often each seat did the first action."""
    rounds, end = rounds_of(events), events[-1]
    assert isinstance(end, RepeatedEnded)
    first = [sum(one.actions[seat] == 0 for one in rounds) / len(rounds) for seat in (0, 1)]
    names = [actions[0] for actions in rules.game.actions]
    heading = names[0] if names[0] == names[1] else "first action"
    return Figures(
        [
            Figure("points_per_round", "a round", [total / len(rounds) for total in end.totals], "{:.2f}".format),
            Figure("first_action", heading, first, "{:.0%}".format),
        ]
    )
