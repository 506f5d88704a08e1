"""The events of the Commons in the order of a turn, and the history of a game that is computed from its events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.core.text import number_of
from ostrom.games.commons.rules import CommonsRules

EVENTS = EventRegistry()


@EVENTS.register
class TurnPlayed(Event, tag="turn_played"):
    """All seats moved, and the pot was shared. Lists are indexed by seat."""

    turn: int
    present: list[bool]
    """True for seats in the game."""
    contributions: list[float]
    """Contributions as fractions of the endowment. The contribution of a seat that has left is 0."""
    lobby: list[float]
    """Capital spent on α. Positive amounts move α toward equal shares, negative ones toward proportional shares."""
    alpha: float
    """The redistribution α of this turn, after the lobbying."""
    synergy: float
    """The synergy by which the pot was multiplied."""
    pot: float
    shares: list[float]
    erosion: float
    """The factor by which kept money was multiplied."""
    gains: list[float]
    """The gain of each seat, before the cost of lobbying. It is the kept money after erosion, plus the share of the
    pot."""
    capitals: list[float]
    """The capital of each seat at the end of the turn."""
    cooperation: float
    """The mean contribution of the seats still in the game."""
    next_synergy: float
    """The synergy of the next turn."""


@EVENTS.register
class GoldenAge(Event, tag="golden_age"):
    """A phase of high cooperation begins, in which the synergy grows."""

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the next turn."""


@EVENTS.register
class Erosion(Event, tag="erosion"):
    """A phase of low cooperation begins, in which the synergy shrinks. While the synergy is below its initial value,
    kept money erodes."""

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the next turn."""


@EVENTS.register
class VoteHeld(Event, tag="vote_held"):
    """At least one seat voted."""

    turn: int
    votes: list[int | None]
    """The vote of each seat: the seat to exclude, or None."""


@EVENTS.register
class SeatExcluded(Event, tag="seat_excluded"):
    """A seat leaves the game and keeps its capital."""

    turn: int
    seat: int
    votes: int


@EVENTS.register
class CommonsEnded(Event, tag="game_ended"):
    """The game ended by chance, or after its known last turn."""

    turn: int
    capitals: list[float]
    winners: list[int]
    """The seats with the highest capital. Several seats are a tie."""


# The history of a game, for tables and figures.

OF_TABLE = ("alpha", "synergy", "pot", "erosion", "cooperation")
"""The figures of a turn that belong to the game as a whole and not to a seat."""


@dataclass(frozen=True, slots=True)
class CommonsTurn:
    """A turn of a game. `votes` has the votes of all seats. The other fields are those of `TurnPlayed`."""

    turn: int
    present: list[bool]
    contributions: list[float]
    lobby: list[float]
    alpha: float
    synergy: float
    pot: float
    shares: list[float]
    erosion: float
    gains: list[float]
    capitals: list[float]
    cooperation: float
    next_synergy: float
    votes: list[int | None]


@dataclass(frozen=True, slots=True)
class CommonsHistory:
    """The history of a game, turn by turn."""

    turns: list[CommonsTurn]
    excluded: dict[int, int]
    """For each excluded seat, the turn after which it left."""
    capitals: list[float] | None
    """The final capital of each seat. It is None if the events do not reach the end."""


_PLAYED = itemgetter(*TurnPlayed.model_fields)


def fold(events: Iterable[tuple[str, Mapping[str, Any]]]) -> CommonsHistory:
    """Return the history that events describe. Each event is given as its tag and its fields."""
    played: list[Mapping[str, Any]] = []
    votes: dict[int, list[int | None]] = {}
    excluded: dict[int, int] = {}
    capitals: list[float] | None = None
    for tag, event in events:
        if tag == TurnPlayed.tag:
            played.append(event)
        elif tag == VoteHeld.tag:
            votes[event["turn"]] = event["votes"]
        elif tag == SeatExcluded.tag:
            excluded[event["seat"]] = event["turn"]
        elif tag == CommonsEnded.tag:
            capitals = event["capitals"]
    rows = [(*_PLAYED(event), votes.get(event["turn"]) or [None] * len(event["present"])) for event in played]
    return CommonsHistory([CommonsTurn(*row) for row in rows], excluded, capitals)


def history_of(events: Sequence[Event]) -> CommonsHistory:
    """Return the history of a game."""
    return fold((event.tag, vars(event)) for event in events)


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the final capital of each seat."""
    end = events[-1]
    assert isinstance(end, CommonsEnded)
    return [*end.capitals]


def figures(rules: CommonsRules, events: Sequence[Event]) -> Figures:
    """Return the contributions, lobbying and exclusion of each seat, and a remark on the state of the economy at the
    end."""
    history = history_of(events)
    capitals = history.capitals
    assert capitals is not None
    seats = range(len(capitals))
    turns_in = [[turn for turn in history.turns if turn.present[seat]] for seat in seats]
    means = [sum(turn.contributions[seat] for turn in turns_in[seat]) / len(turns_in[seat]) for seat in seats]
    lobbied = [sum(abs(turn.lobby[seat]) for turn in turns_in[seat]) for seat in seats]
    exclusions = [history.excluded.get(seat) for seat in seats]
    return Figures(
        [
            Figure("capital", "", capitals),
            Figure("mean_contribution", "gave", means, "{:.2f}".format),
            Figure("lobbied", "lobbied" if rules.lobbying else "", lobbied, _format_lobbied),
            Figure("excluded_after_turn", "excluded" if history.excluded else "", exclusions, _format_exclusion),
        ],
        _remark(rules, history),
    )


def _remark(rules: CommonsRules, history: CommonsHistory) -> str:
    last = history.turns[-1]
    seats = len(last.votes)
    remark = f"at the end: synergy {last.next_synergy:.2f}, α {last.alpha:.3f}, cooperation {last.cooperation:.2f}"
    voters = sum(any(turn.votes[seat] is not None for turn in history.turns) for seat in range(seats))
    if rules.too_few_voters(seats, voters):
        voted = number_of(voters, "seat") if voters else "no seat"
        remark += f"\nno seat could be excluded: that needs {rules.votes_needed} votes, and {voted} voted"
    return remark


def _format_lobbied(capital: float) -> str:
    return f"{capital:z,.2f}" if capital else ""


def _format_exclusion(turn: int | None) -> str:
    return f"turn {turn}" if turn else ""
