"""The events of the Commons, in the order in which a turn brings them, and the same in numbers."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.core.text import number_of
from ostrom.games.commons.rules import CommonsRules

EVENTS = EventRegistry()


@EVENTS.register
class TurnPlayed(Event, tag="turn_played"):
    """All seats moved, and the pot was shared out. Lists are indexed by seat."""

    turn: int
    present: list[bool]
    """Which seats played this turn."""
    contributions: list[float]
    """Fractions of the endowment; 0 for a seat that is out."""
    lobby: list[float]
    """Capital spent on α: positive toward equal shares, negative toward proportional ones."""
    alpha: float
    """The redistribution after the lobbying, which held in this turn."""
    synergy: float
    """The synergy that grew the pot."""
    pot: float
    shares: list[float]
    erosion: float
    """The factor on kept money."""
    gains: list[float]
    """Kept money after erosion, and the share; before the cost of lobbying."""
    capitals: list[float]
    """What each seat holds at the end of the turn."""
    cooperation: float
    """The mean contribution of the seats still in."""
    next_synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class GoldenAge(Event, tag="golden_age"):
    """A spell of high cooperation begins, in which the synergy grows."""

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class Erosion(Event, tag="erosion"):
    """A spell of low cooperation begins, in which the synergy shrinks; below its initial value, kept money rots."""

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class VoteHeld(Event, tag="vote_held"):
    """At least one seat voted."""

    turn: int
    votes: list[int | None]
    """For each seat the seat that it named, or nobody."""


@EVENTS.register
class SeatExcluded(Event, tag="seat_excluded"):
    """A seat leaves with what it holds; from the next turn on it neither gives nor gets."""

    turn: int
    seat: int
    votes: int


@EVENTS.register
class CommonsEnded(Event, tag="game_ended"):
    """The shadow of the future fell, or the known last turn was played."""

    turn: int
    capitals: list[float]
    winners: list[int]
    """The seats with the highest capital; more than one is a tie."""


OF_SEATS = ("present", "contributions", "lobby", "shares", "gains", "capitals")
OF_TABLE = ("alpha", "synergy", "pot", "erosion", "cooperation")
"""The figures of a turn, those of seats and those of the table."""


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a turn as an array over turns; those of seats are arrays over turns of arrays over seats."""
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    return {name: [getattr(turn, name) for turn in turns] for name in (*OF_SEATS, *OF_TABLE)}


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, CommonsEnded)
    return [*end.capitals]


def figures(rules: CommonsRules, events: Sequence[Event]) -> Figures:
    """What each seat gave and lobbied, and when it was excluded; below, how the economy ended."""
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    excluded = {event.seat: event.turn for event in events if isinstance(event, SeatExcluded)}
    end = events[-1]
    assert isinstance(end, CommonsEnded)
    seats = range(len(end.capitals))
    played = [[turn for turn in turns if turn.present[seat]] for seat in seats]
    gave = [sum(turn.contributions[seat] for turn in played[seat]) / len(played[seat]) for seat in seats]
    lobbied = [sum(abs(turn.lobby[seat]) for turn in played[seat]) for seat in seats]
    last = turns[-1]
    remark = f"at the end: synergy {last.next_synergy:.2f}, α {last.alpha:.3f}, cooperation {last.cooperation:.2f}"
    held = [event.votes for event in events if isinstance(event, VoteHeld)]
    voters = sum(any(votes[seat] is not None for votes in held) for seat in seats)
    if rules.too_few_voters(len(seats), voters):
        voted = number_of(voters, "seat") if voters else "nobody"
        remark += f"\nnobody could be excluded: that takes {rules.votes_needed} votes, and {voted} voted"
    return Figures(
        [
            Figure("capital", "", end.capitals),
            Figure("mean_contribution", "gave", gave, "{:.2f}".format),
            Figure(
                "lobbied", "lobbied" if rules.lobbying else "", lobbied, lambda sum_: f"{sum_:z,.2f}" if sum_ else ""
            ),
            Figure(
                "excluded_after_turn",
                "excluded" if excluded else "",
                [excluded.get(seat) for seat in seats],
                lambda turn: f"turn {turn}" if turn else "",
            ),
        ],
        remark,
    )
