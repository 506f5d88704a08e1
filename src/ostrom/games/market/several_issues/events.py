"""The events of bargaining over several issues. Lists are indexed by seat, and lists of units by good."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.core.secrecy import PerSeat
from ostrom.games.market.several_issues.rules import ROLES, SeveralIssuesRules

EVENTS = EventRegistry()


@EVENTS.register
class IssuesDealt(Event, tag="issues_dealt"):
    """The pool is known, and each seat learns its private values."""

    counts: list[int]
    """The units of each good."""
    values: Annotated[list[list[float]], PerSeat()]
    """The points of a unit of each good."""


@EVENTS.register
class IssueMessageSaid(Event, tag="message_said"):
    """A message. A seat that says nothing has no such event."""

    round: int
    """The number of the turn."""
    seat: int
    text: str


@EVENTS.register
class DealSubmitted(Event, tag="deal_submitted"):
    """A seat submitted a deal, which replaces an earlier one."""

    round: int
    seat: int
    units: list[list[int]]
    """The units that each seat would get."""
    worth: Annotated[list[float], PerSeat()]
    """The points of each seat with this deal."""


@EVENTS.register
class IssueActTaken(Event, tag="act_taken"):
    """A seat accepted or rejected the submitted deal, walked away, or ended the talk."""

    round: int
    seat: int
    act: Literal["accept", "reject", "walk-away", "end-talk"]


@EVENTS.register
class BargainEnded(Event, tag="bargain_ended"):
    """The bargain is over, and private values become public."""

    round: int
    outcome: Literal["deal", "walk-away", "no-deal"]
    """A deal; a seat walked away; or the turns are over, or the choices do not add up to the pool."""
    units: list[list[int]] | None
    """The units of each seat, if there is a deal."""
    choices: list[list[int] | None] | None
    """The units that each seat takes, if both choose at once. None for a seat that wants no deal."""
    values: list[list[float]]
    points: list[float]


def dealt(events: Sequence[Event]) -> Mapping[str, Any]:
    """Return the facts that the log of an imported game dealt: the pool, and private values."""
    first = events[0]
    assert isinstance(first, IssuesDealt)
    return {"counts": first.counts, "values": first.values}


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the points of each seat."""
    end = events[-1]
    assert isinstance(end, BargainEnded)
    return [*end.points]


def figures(rules: SeveralIssuesRules, events: Sequence[Event]) -> Figures:
    """Return the role of each seat, its private values, and the units that it got."""
    end = events[-1]
    assert isinstance(end, BargainEnded)
    values = [", ".join(f"{value:,.6g}" for value in own) for own in end.values]
    units = ["–"] * len(ROLES) if end.units is None else [", ".join(map(str, own)) for own in end.units]
    goods = ", ".join(rules.good_names)
    return Figures(
        [
            Figure("role", "role", ROLES),
            Figure("values", "values", values),
            Figure("units", "units", units),
        ],
        remark=f"Values of a unit and units are those of {goods}.",
    )
