"""The events of voluntary contributions in the order of a round, and the history of a game that is computed from them.
Lists are indexed by seat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from ostrom.core import Event, EventRegistry
from ostrom.core.events import Frozen
from ostrom.core.game import Figure, Figures
from ostrom.core.secrecy import PrivateTo
from ostrom.games.contributions.rules import DEDUCT, REWARD, ContributionsRules

EVENTS = EventRegistry()


@EVENTS.register
class ContributionsMessageSaid(Event, tag="message_said"):
    """A message of a seat. An empty text means that the seat said nothing."""

    round: int
    seat: int
    text: str


@EVENTS.register
class RoundContributed(Event, tag="contributed"):
    """The seats contributed, and the fund was shared out."""

    round: int
    readers: list[int | None]
    """The seats that learn each contribution before the end of the game. None is the public."""
    contributions: Annotated[list[int | None], PrivateTo("readers")]
    """The contributions. None stands for a seat that does not take part."""
    left: list[int]
    """The seats that left the game instead of contributing."""
    total: int
    fund: float
    """The sum of the contributions, multiplied and rounded."""
    share: float


class AssignedPoints(Frozen):
    """Points that a seat assigned to another seat."""

    kind: str
    """`deduct` or `reward`."""
    giver: int
    target: int
    points: int


@EVENTS.register
class PointsAssigned(Event, tag="points_assigned"):
    """All seats assigned their points. Until the end of the game, a seat learns its own points and those assigned to it
    through its questions only."""

    round: int
    readers: list[int | None]
    """The seats that learn who assigned points to whom. It is empty until the end of the game."""
    points: Annotated[list[AssignedPoints], PrivateTo("readers")]
    left: list[int]
    """The seats that left the game after they had contributed."""


@EVENTS.register
class RoundPaid(Event, tag="round_paid"):
    """A round is over."""

    round: int
    readers: list[int | None]
    """The seats that learn the outcomes of all seats. None is the public."""
    spent: Annotated[list[float], PrivateTo("readers")]
    """The spending of each seat on points."""
    outcomes: Annotated[list[float | None], PrivateTo("readers")]
    """The payoff of each seat. None stands for a seat that does not take part."""
    earnings: Annotated[list[float], PrivateTo("readers")]
    """The sum of each seat's payoffs so far."""


@EVENTS.register
class ContributionsEnded(Event, tag="game_ended"):
    """The last round is over."""

    round: int
    earnings: list[float]


# The history of a game, for tables, figures and the scene.


class PointsRow(NamedTuple):
    """Points that a seat assigned to another seat."""

    kind: str
    giver: int
    target: int
    points: int


@dataclass(slots=True)
class ContributionsRound:
    """A round of a game."""

    round: int
    contributions: list[int | None]
    total: int
    fund: float
    share: float
    points: list[PointsRow] = field(default_factory=list)
    payoffs: list[float | None] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """The seats that left the game in this round."""

    def assigned(self, kind: str) -> list[int]:
        """Return the points of a kind that each seat assigned."""
        return self._sums(kind, 1)

    def received(self, kind: str) -> list[int]:
        """Return the points of a kind that each seat received."""
        return self._sums(kind, 2)

    def _sums(self, kind: str, place: int) -> list[int]:
        sums = [0] * len(self.contributions)
        for row in self.points:
            if row.kind == kind:
                sums[int(row[place])] += row.points
        return sums


def fold(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[ContributionsRound]:
    """Return the rounds that the events of a finished game describe. Each event is given as its tag and its fields."""
    rounds: list[ContributionsRound] = []
    for tag, event in events:
        if tag == RoundContributed.tag:
            values = {name: event[name] for name in ("round", "contributions", "total", "fund", "share")}
            rounds.append(ContributionsRound(**values, left=list(event["left"])))
        elif tag == PointsAssigned.tag:
            rounds[-1].points = [PointsRow(**_plain(row)) for row in event["points"]]
            rounds[-1].left += event["left"]
        elif tag == RoundPaid.tag:
            rounds[-1].payoffs = event["outcomes"]
    return rounds


def _plain(row: Any) -> Mapping[str, Any]:
    return row if isinstance(row, Mapping) else vars(row)


def rounds_of(events: Sequence[Event]) -> list[ContributionsRound]:
    """Return the rounds of a finished game."""
    return fold((event.tag, vars(event)) for event in events)


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the sum of each seat's payoffs."""
    end = events[-1]
    assert isinstance(end, ContributionsEnded)
    return [*end.earnings]


def figures(rules: ContributionsRules, events: Sequence[Event]) -> Figures:
    """Return each seat's mean contribution, and the points that it assigned and received."""
    rounds = rounds_of(events)
    end = events[-1]
    assert isinstance(end, ContributionsEnded)
    means = []
    for seat in range(len(end.earnings)):
        own = [given for played in rounds if (given := played.contributions[seat]) is not None]
        means.append(sum(own) / len(own) if own else None)
    shown = [Figure("mean_contribution", "mean contribution", means, _mean_text)]
    for kind, word in ((DEDUCT, "deduction"), (REWARD, "reward")):
        if kind in rules.kinds:
            assigned, received = _sums(rounds, kind)
            shown += [
                Figure(f"{word}s_assigned", f"{word} points", assigned, "{:,}".format),
                Figure(f"{word}s_received", f"{word} points received", received, "{:,}".format),
            ]
    return Figures(shown)


def _mean_text(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:,.1f}"


def _sums(rounds: Sequence[ContributionsRound], kind: str) -> tuple[list[int], list[int]]:
    assigned = zip(*(played.assigned(kind) for played in rounds), strict=True)
    received = zip(*(played.received(kind) for played in rounds), strict=True)
    return [sum(points) for points in assigned], [sum(points) for points in received]
