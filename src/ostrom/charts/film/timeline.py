"""What happens when: a film as shots that follow one another without a gap. Pure data; nothing here draws.

A shot moves first and then rests. While it rests nothing in the picture changes, so that a moment (which shot, how far
into its motion) says all there is to draw, and equal moments are equal pictures."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from ostrom.core import InputError
from ostrom.core.effects import Telling
from ostrom.core.telling import Board

SLOWEST, FASTEST = 0.05, 50.0


class Kind(StrEnum):
    """What a shot shows."""

    OPENING = "opening"
    SPEAK = "speak"
    LISTEN = "listen"
    """All have spoken, and their words stay a while."""
    GIVE = "give"
    """Something goes from seats to the middle."""
    GROW = "grow"
    """What stands in the middle changes by itself."""
    SHARE = "share"
    """Something goes from the middle to seats."""
    STRIKE = "strike"
    """Something goes from seat to seat."""
    REST = "rest"
    TURN = "turn"
    """A whole moment of a dashboard or of a question."""
    FINAL = "final"


class State(NamedTuple):
    """What everybody holds."""

    table: Mapping[str, float | None]
    seats: Mapping[str, Sequence[float | None]]
    out: frozenset[int]

    @classmethod
    def of(cls, board: Board) -> "State":
        """The board as it is now."""
        seats = {name: tuple(held) for name, held in board.of_seats.items()}
        return cls(dict(board.of_table), seats, frozenset(board.out))

    def held(self, quantity: str, count: int) -> list[float]:
        """A quantity by seat; nothing is 0."""
        return [float(value or 0) for value in self.seats.get(quantity, (0,) * count)]


@dataclass(frozen=True, slots=True)
class Shot:
    """A stretch of the film that shows one thing."""

    kind: Kind
    turn: int
    moves: float
    """Seconds of motion."""
    rests: float
    """Seconds in which the picture then stands still."""
    told: tuple[Telling, ...]
    """The tellings that the shot shows; each telling of a game is shown by exactly one shot."""
    before: State
    after: State
    about: Telling | None = None
    """The telling that a shot without tellings of its own belongs to."""

    @property
    def lasts(self) -> float:
        """Seconds from the shot's beginning to the next one's."""
        return self.moves + self.rests

    @property
    def telling(self) -> Telling:
        """What it is about."""
        return self.told[0] if self.told else self.about or Telling()

    def stretched(self, factor: float) -> "Shot":
        """The same shot, slower or faster."""
        return replace(self, moves=self.moves * factor, rests=self.rests * factor)


@dataclass(frozen=True, slots=True)
class Moment:
    """A place in a film. Equal moments look equal."""

    shot: int
    done: float
    """How far the shot's motion has come, from 0 to 1."""


@dataclass(frozen=True)
class Timeline:
    """A whole film: its shots in order, and who sits at the table."""

    shots: tuple[Shot, ...]
    seats: int
    starts: tuple[float, ...] = field(init=False)
    """When each shot begins."""

    def __post_init__(self) -> None:
        if not self.shots:
            raise InputError("the record holds no events: there is nothing to show")
        ends = accumulate(shot.lasts for shot in self.shots)
        object.__setattr__(self, "starts", (0.0, *ends)[: len(self.shots)])

    @cached_property
    def duration(self) -> float:
        """Seconds from the first picture to the last."""
        return self.starts[-1] + self.shots[-1].lasts

    def at(self, time: float) -> Moment:
        """The moment at a time, in seconds; before the beginning and after the end it is the first and the last."""
        index = max(0, bisect_right(self.starts, time) - 1)
        shot = self.shots[index]
        elapsed = max(0.0, time - self.starts[index])
        return Moment(index, 1.0 if elapsed >= shot.moves else elapsed / shot.moves)

    def at_speed(self, speed: float) -> "Timeline":
        """The same film, so many times as fast."""
        if not SLOWEST <= speed <= FASTEST:
            raise InputError(f"a speed of {speed:g} cannot be: it must lie between {SLOWEST:g} and {FASTEST:g}")
        return Timeline(tuple(shot.stretched(1 / speed) for shot in self.shots), self.seats)

    def moments(self, fps: float) -> list[Moment]:
        """The film frame by frame; the last frame shows how it ended."""
        count = max(1, round(self.duration * fps))
        return [*(self.at(index / fps) for index in range(count)), Moment(len(self.shots) - 1, 1.0)]


def paced(shots: Sequence[Shot], shortest: float, longest: float) -> list[Shot]:
    """Shots stretched or pressed together so that all of them last between so many seconds, at their own
    proportions."""
    lasts = sum(shot.lasts for shot in shots)
    if not lasts:
        return list(shots)
    factor = min(longest, max(shortest, lasts)) / lasts
    return [shot.stretched(factor) for shot in shots]
