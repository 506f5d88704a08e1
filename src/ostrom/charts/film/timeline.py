"""What happens when: a film as scenes that follow one another without a gap. Pure data; nothing here draws.

A scene moves first and then rests. While it rests nothing in the picture changes, so that a moment (which scene, how
far into its motion) says all there is to draw, and equal moments are equal pictures."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

from ostrom.core import Event, InputError

SLOWEST, FASTEST = 0.05, 50.0


class Kind(StrEnum):
    """What a scene shows."""

    OPENING = "opening"
    SPEAK = "speak"
    LISTEN = "listen"
    """All have spoken, and their words stay a while."""
    GIVE = "give"
    GROW = "grow"
    SHARE = "share"
    PUNISH = "punish"
    REST = "rest"
    TURN = "turn"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Scene:
    """A stretch of the film that shows one thing."""

    kind: Kind
    turn: int
    moves: float
    """Seconds of motion."""
    rests: float
    """Seconds in which the picture then stands still."""
    events: tuple[Event, ...]
    """The events that the scene shows; each event of a game is shown by exactly one scene."""
    before: tuple[float, ...]
    """What each seat holds when the scene begins."""
    after: tuple[float, ...]
    fund: tuple[float, float] = (0, 0)
    """What the fund holds when the scene begins and ends."""

    @property
    def lasts(self) -> float:
        """Seconds from the scene's beginning to the next one's."""
        return self.moves + self.rests

    def stretched(self, factor: float) -> "Scene":
        """The same scene, slower or faster."""
        return replace(self, moves=self.moves * factor, rests=self.rests * factor)


@dataclass(frozen=True, slots=True)
class Moment:
    """A place in a film. Equal moments look equal."""

    scene: int
    done: float
    """How far the scene's motion has come, from 0 to 1."""


@dataclass(frozen=True)
class Timeline:
    """A whole film: its scenes in order, and who sits at the table."""

    scenes: tuple[Scene, ...]
    seats: int
    starts: tuple[float, ...] = field(init=False)
    """When each scene begins."""

    def __post_init__(self) -> None:
        if not self.scenes:
            raise InputError("the record holds no events: there is nothing to show")
        ends = accumulate(scene.lasts for scene in self.scenes)
        object.__setattr__(self, "starts", (0.0, *ends)[: len(self.scenes)])

    @cached_property
    def duration(self) -> float:
        """Seconds from the first picture to the last."""
        return self.starts[-1] + self.scenes[-1].lasts

    def at(self, time: float) -> Moment:
        """The moment at a time, in seconds; before the beginning and after the end it is the first and the last."""
        index = max(0, bisect_right(self.starts, time) - 1)
        scene = self.scenes[index]
        elapsed = max(0.0, time - self.starts[index])
        return Moment(index, 1.0 if elapsed >= scene.moves else elapsed / scene.moves)

    def at_speed(self, speed: float) -> "Timeline":
        """The same film, so many times as fast."""
        if not SLOWEST <= speed <= FASTEST:
            raise InputError(f"a speed of {speed:g} cannot be: it must lie between {SLOWEST:g} and {FASTEST:g}")
        return Timeline(tuple(scene.stretched(1 / speed) for scene in self.scenes), self.seats)

    def moments(self, fps: float) -> list[Moment]:
        """The film frame by frame; the last frame shows how it ended."""
        count = max(1, round(self.duration * fps))
        return [*(self.at(index / fps) for index in range(count)), Moment(len(self.scenes) - 1, 1.0)]


def paced(scenes: Sequence[Scene], shortest: float, longest: float) -> list[Scene]:
    """Scenes stretched or pressed together so that all of them last between so many seconds, at their own
    proportions."""
    lasts = sum(scene.lasts for scene in scenes)
    if not lasts:
        return list(scenes)
    factor = min(longest, max(shortest, lasts)) / lasts
    return [scene.stretched(factor) for scene in scenes]
