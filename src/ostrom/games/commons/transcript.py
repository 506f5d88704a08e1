"""A game of the Commons in words and in numbers: one readable line an event, and one array a quantity."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.games.commons.events import Erosion, GameEnded, GoldenAge, SeatExcluded, TurnPlayed, VoteHeld


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines; the first line of a turn begins at the margin, what follows from it is indented."""
    match event:
        case TurnPlayed():
            return _tell_turn(event, names)
        case GoldenAge():
            return [f"  golden age: cooperation {event.cooperation:.2f}, synergy rises to {event.synergy:.2f}"]
        case Erosion():
            return [f"  erosion: cooperation {event.cooperation:.2f}, synergy falls to {event.synergy:.2f}"]
        case VoteHeld():
            cast = [f"{names[voter]} → {names[vote]}" for voter, vote in enumerate(event.votes) if vote is not None]
            return [f"  vote: {', '.join(cast)}"]
        case SeatExcluded():
            return [f"  excluded: {names[event.seat]} leaves by {event.votes} votes"]
        case GameEnded():
            verb = "win" if len(event.winners) > 1 else "wins"
            best = event.capitals[event.winners[0]]
            who = ", ".join(names[seat] for seat in event.winners)
            return [f"end after turn {event.turn}: {who} {verb} with {best:,.2f}"]
        case _:
            raise TypeError(f"not an event of the Commons: {event!r}")


def _tell_turn(event: TurnPlayed, names: Sequence[str]) -> list[str]:
    lines = [
        f"turn {event.turn}: pot {event.pot:,.2f} × S {event.synergy:.2f}, α {event.alpha:.3f}, "
        f"cooperation {event.cooperation:.2f}, kept money × {event.erosion:.3f}"
    ]
    width = max(len(name) for name in names)
    for name, there, gave, lobby, gain, capital in zip(
        names, event.present, event.contributions, event.lobby, event.gains, event.capitals, strict=True
    ):
        if not there:
            lines.append(f"  {name:<{width}}  is out                     capital {capital:10,.2f}")
            continue
        spent = f"  lobby {lobby:+,.2f}" if lobby else ""
        lines.append(f"  {name:<{width}}  gave {gave:4.2f}  gain {gain:9,.2f}  capital {capital:10,.2f}{spent}")
    return lines


_PER_TURN = (
    "present",
    "contributions",
    "lobby",
    "shares",
    "gains",
    "capitals",
    "alpha",
    "synergy",
    "pot",
    "erosion",
    "cooperation",
)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a turn as an array over turns; those of seats are arrays over turns of arrays over seats."""
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    return {name: [getattr(turn, name) for turn in turns] for name in _PER_TURN}


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.capitals]
