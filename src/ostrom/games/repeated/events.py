"""The events of a repeated game, and its rounds, which are computed from the events. Lists are indexed by seat."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.games.repeated.rules import RepeatedRules

EVENTS = EventRegistry()


@EVENTS.register
class RepeatedMessageSaid(Event, tag="message_said"):
    """A message of a seat to the other seat. An empty text means that the seat said nothing."""

    round: int
    seat: int
    text: str


@EVENTS.register
class RoundPlayed(Event, tag="round_played"):
    """Both seats chose an action."""

    round: int
    chosen: list[int]
    """The chosen actions, by their index. Action 0 is the first action of the matrix."""
    actions: list[int]
    """The actions after the noise."""
    points: list[float]
    """The points of this round."""
    totals: list[float]
    """The points of all rounds so far."""


@EVENTS.register
class RepeatedEnded(Event, tag="game_ended"):
    """The last round is over."""

    round: int
    totals: list[float]
    winners: list[int]
    """The seats with the most points. Two seats are a tie."""


# The history of a game, for tables and figures.


class RepeatedRound(NamedTuple):
    """A round of a game. The fields are those of `RoundPlayed`."""

    round: int
    chosen: list[int]
    actions: list[int]
    points: list[float]
    totals: list[float]


_PLAYED = itemgetter(*RoundPlayed.model_fields)


def fold(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[RepeatedRound]:
    """Return the rounds that events describe. Each event is given as its tag and its fields."""
    return [RepeatedRound(*_PLAYED(event)) for tag, event in events if tag == RoundPlayed.tag]


def rounds_of(events: Sequence[Event]) -> list[RepeatedRound]:
    """Return the rounds of a game."""
    return fold((event.tag, vars(event)) for event in events)


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the total points of each seat."""
    end = events[-1]
    assert isinstance(end, RepeatedEnded)
    return [*end.totals]


def figures(rules: RepeatedRules, events: Sequence[Event]) -> Figures:
    """Return for each seat its mean points per round, and the share of rounds in which it played its first action."""
    rounds = rounds_of(events)
    first = [sum(played.actions[seat] == 0 for played in rounds) / len(rounds) for seat in (0, 1)]
    names = [actions[0] for actions in rules.game.actions]
    heading = names[0] if names[0] == names[1] else "first action"
    means = [total / len(rounds) for total in rounds[-1].totals]
    return Figures(
        [
            Figure("points_per_round", "a round", means, "{:.2f}".format),
            Figure("first_action", heading, first, "{:.0%}".format),
        ]
    )
