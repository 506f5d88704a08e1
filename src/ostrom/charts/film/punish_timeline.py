"""The timeline of a game of Contribute & Punish: seats speak one after another, all give at once, the fund grows and is
shared out, and punishments fly one by one in the order of settlement."""

from collections.abc import Sequence

from ostrom.charts.film.timeline import Kind, Scene, Timeline, paced
from ostrom.core import Event
from ostrom.games.contribute_punish.events import (
    Contributed,
    FundShared,
    GameEnded,
    MessageSaid,
    Punished,
    RoundEnded,
)

SHORTEST_ROUND, LONGEST_ROUND = 5.5, 8.2
"""Seconds a round of the film takes on average: ten rounds, with opening and end, make 60 to 90 seconds."""
LONGEST_PLAY = 300.0
"""Beyond so many seconds rounds go faster, down to `HASTIEST_ROUND`."""
HASTIEST_ROUND = 1.0


def punish_timeline(events: Sequence[Event], seats: int, start: int) -> Timeline:
    """The film of a game that begins with `start` tokens a seat, unless its first round says otherwise."""
    held = next((tuple(event.start) for event in events if isinstance(event, Contributed)), (start,) * seats)
    builder = _Builder(held)
    for event in events:
        builder.show(event)
    builder.stop_talking()
    rounds = len({scene.turn for scene in builder.scenes}) or 1
    pace = max(HASTIEST_ROUND, LONGEST_PLAY / rounds)
    played = paced(builder.scenes, rounds * min(SHORTEST_ROUND, pace), rounds * min(LONGEST_ROUND, pace))
    if not played and not builder.ending:
        return Timeline((), seats)
    opening = Scene(Kind.OPENING, 0, 1.0, 1.2, (), (0,) * seats, held)
    return Timeline((opening, *played, *builder.ending), seats)


class _Builder:
    """Turns events into scenes, and keeps count of who holds what in between."""

    def __init__(self, held: tuple[float, ...]) -> None:
        self.balances = held
        self.fund: float = 0
        self.scenes: list[Scene] = []
        self.ending: list[Scene] = []

    def show(self, event: Event) -> None:
        match event:
            case MessageSaid():
                self._add(Kind.SPEAK, event.round, 0.35, _listening(event.text), event)
            case Contributed():
                self.stop_talking()
                # The event knows what each seat held; the count kept here agrees unless events are missing.
                self.balances = tuple(event.start)
                paid = tuple(held - given for held, given in zip(event.start, event.contributions, strict=True))
                self._add(Kind.GIVE, event.round, 1.4, 0.3, event, paid, self.fund + sum(event.contributions))
            case FundShared():
                self.fund = event.pot
                self._add(Kind.GROW, event.round, 0.8, 0.2, fund=event.grown)
                self._add(Kind.SHARE, event.round, 1.2, 0.3, event, tuple(event.balances), event.carry_out)
            case Punished():
                left = list(self.balances)
                left[event.punisher] -= event.spend
                left[event.target] -= event.damage
                self._add(Kind.PUNISH, event.round, 0.8, 0.15, event, tuple(left))
            case RoundEnded():
                self.fund = event.carry
                self._add(Kind.REST, event.round, 0.2, 0.5, event, tuple(event.balances))
            case GameEnded():
                after = tuple(float(balance) for balance in event.balances)
                self.ending.append(Scene(Kind.FINAL, event.round, 1.8, 3.2, (event,), self.balances, after))
            case _:
                raise TypeError(f"not an event of Contribute & Punish: {event!r}")

    def stop_talking(self) -> None:
        """Let the last words stay before something else happens."""
        if self.scenes and self.scenes[-1].kind is Kind.SPEAK:
            self._add(Kind.LISTEN, self.scenes[-1].turn, 0.0, 0.9)

    def _add(
        self,
        kind: Kind,
        turn: int,
        moves: float,
        rests: float,
        event: Event | None = None,
        after: tuple[float, ...] | None = None,
        fund: float | None = None,
    ) -> None:
        after = self.balances if after is None else after
        fund = self.fund if fund is None else fund
        shown = () if event is None else (event,)
        self.scenes.append(Scene(kind, turn, moves, rests, shown, self.balances, after, (self.fund, fund)))
        self.balances, self.fund = after, fund


def _listening(text: str) -> float:
    """Seconds for which a message stands alone; long ones are for those who pause."""
    return 0.1 if not text.strip() else 0.3 + 0.003 * min(len(text), 200)
