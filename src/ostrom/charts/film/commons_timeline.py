"""The timeline of a game of the Commons: a scene a turn, each with what followed from it, longer where a seat is
excluded or the weather turns."""

from collections.abc import Sequence

from ostrom.charts.film.timeline import Kind, Scene, Timeline, paced
from ostrom.core import Event
from ostrom.games.commons.events import Erosion, GameEnded, GoldenAge, SeatExcluded, TurnPlayed, VoteHeld

SHORTEST_TURN, LONGEST_TURN = 0.2, 1.5
"""Seconds a turn of the film takes on average."""
PLAY = 60.0
"""Seconds that the turns of a game take together, where these bounds allow it."""

_PAUSES: dict[type[Event], float] = {SeatExcluded: 3.0, GoldenAge: 1.2, Erosion: 1.2, VoteHeld: 0.2}
"""How long the picture stands still on what followed from a turn, in turns."""


def commons_timeline(events: Sequence[Event], seats: int) -> Timeline:
    """The film of a game; every seat begins with nothing."""
    scenes: list[Scene] = []
    ending: list[Scene] = []
    held: tuple[float, ...] = (0.0,) * seats
    for event in events:
        match event:
            case TurnPlayed():
                after = tuple(event.capitals)
                scenes.append(Scene(Kind.TURN, event.turn, 1.0, 0.0, (event,), held, after))
                held = after
            case GameEnded():
                ending.append(Scene(Kind.FINAL, event.turn, 1.0, 4.0, (event,), held, tuple(event.capitals)))
            case GoldenAge() | Erosion() | VoteHeld() | SeatExcluded():
                scenes = _followed(scenes, event, held)
            case _:
                raise TypeError(f"not an event of the Commons: {event!r}")
    if not scenes and not ending:
        return Timeline((), seats)
    turns = max(1, len(scenes))
    total = min(turns * LONGEST_TURN, max(turns * SHORTEST_TURN, PLAY))
    opening = Scene(Kind.OPENING, 0, 0.6, 0.6, (), (0.0,) * seats, (0.0,) * seats)
    return Timeline((opening, *paced(scenes, total, total), *ending), seats)


def _followed(scenes: list[Scene], event: Event, held: tuple[float, ...]) -> list[Scene]:
    """The scenes with this event added to the turn that brought it."""
    if not scenes:
        return [Scene(Kind.TURN, 0, 0.0, _PAUSES[type(event)], (event,), held, held)]
    *earlier, last = scenes
    rests = max(last.rests, _PAUSES[type(event)])
    return [
        *earlier,
        Scene(last.kind, last.turn, last.moves, rests, (*last.events, event), last.before, last.after, last.fund),
    ]
