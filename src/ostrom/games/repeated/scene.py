"""The scene of a repeated game. It is a dashboard of points and actions or, with messages, two seats at a table."""

from typing import Any

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Middle, Say, Set, Telling, listed, sentence
from ostrom.core.scene import Card, Centre, Panel, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.repeated.events import RepeatedEnded, RepeatedMessageSaid, RoundPlayed
from ostrom.games.repeated.rules import AT_ONCE, RepeatedRules


def first_action(rules: RepeatedRules) -> str:
    """Return the name of the first action if it is the same for both seats."""
    rows, columns = rules.game.actions
    return rows[0] if rows[0] == columns[0] else "first action"


def scene(rules: RepeatedRules, seats: int) -> Scene:
    """Return the scene of a game."""
    first = first_action(rules)
    others = {actions[1] for actions in rules.game.actions}
    second = others.pop() if rules.game.two_by_two and len(others) == 1 else "another"
    common: dict[str, Any] = {
        "title": "Repeated game",
        "clock": "round",
        "horizon": rules.rounds,
        "final": "total",
        "course": "both",
        "quantities": {
            "total": Quantity(title="Points"),
            "points": Quantity(title="This round", signed=True),
            "first": Quantity(title=first.capitalize(), digits=0, low=0, high=1),
            "share": Quantity(title=f"{first.capitalize()} so far", percent=True, digits=0, low=0, high=1),
            "both": Quantity(title=f"Chose {first}", of="table", digits=0, low=0, high=2),
        },
        "standing": (QuantityField(quantity="total"), QuantityField(quantity="share")),
    }
    if rules.messages:
        talk = "Messages" if rules.talk == AT_ONCE else "Messages in turn"
        return Scene(
            layout="table",
            pace=1,
            phases=(Phase(name="speak", title=talk), Phase(name="choose", title="Choices")),
            card=Card(quantity="total", notes=(QuantityField(quantity="points", title="this round"),)),
            centre=Centre(quantity="both", title=f"Chose {first}"),
            strip=Strip(bars="both"),
            **common,
        )
    return Scene(
        layout="dashboard",
        pace=2 if rules.duration <= 30 else 10,
        figures=("both",),
        panels=(
            Panel(kind="lines", quantity="total"),
            Panel(kind="heat", quantity="first", words=(second, first)),
            Panel(kind="steps", quantity="both"),
        ),
        colour="first",
        **common,
    )


class RepeatedTeller(Teller):
    """Describes the events of a repeated game, one after the other."""

    def __init__(self, rules: RepeatedRules, seats: int) -> None:
        self._rules = rules
        self._first = [0, 0]

    @override
    def opening(self) -> Telling:
        rules = self._rules
        length = (
            f"{rules.rounds} round{'' if rules.rounds == 1 else 's'}"
            if rules.continuation is None
            else f"after each round another with probability {rules.continuation:g}"
        )
        matrix = "a matrix from a file" if rules.matrix.startswith("{") else rules.matrix
        noise = f"; an action is flipped with probability {rules.noise:g}" if rules.noise else ""
        start = Set(values={"total": (0.0, 0.0), "both": 0})
        return Telling(text=(sentence(f"{matrix}, {length}{noise}"),), effects=(start,))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case RepeatedMessageSaid():
                return Telling(turn=event.round, phase="speak", effects=(Say(seat=event.seat, text=event.text),))
            case RoundPlayed():
                return self._tell_round(event)
            case RepeatedEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of a repeated game: {event!r}")

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        return [(seat, self._row(event, seat)) for seat in (0, 1)] if isinstance(event, RoundPlayed) else []

    def _name(self, seat: int, action: int) -> str:
        return self._rules.game.actions[seat][action]

    def _row(self, event: RoundPlayed, seat: int) -> str:
        action, chosen = event.actions[seat], event.chosen[seat]
        slip = "" if action == chosen else f"  (meant {self._name(seat, chosen)})"
        width = max(len(name) for actions in self._rules.game.actions for name in actions)
        return (
            f"{self._name(seat, action):{width}}  {event.points[seat]:+8,.5g}  total {event.totals[seat]:10,.10g}{slip}"
        )

    def _tell_round(self, event: RoundPlayed) -> Telling:
        first = [float(action == 0) for action in event.actions]
        self._first = [before + int(now) for before, now in zip(self._first, first, strict=True)]
        slips = [seat for seat in (0, 1) if event.actions[seat] != event.chosen[seat]]
        actions = [self._name(seat, event.actions[seat]) for seat in (0, 1)]
        values = {
            "total": tuple(event.totals),
            "points": tuple(event.points),
            "first": tuple(first),
            "share": tuple(count / event.round for count in self._first),
            "both": int(sum(first)),
        }
        choices = [sentence(seat, f" meant {self._name(seat, event.chosen[seat])}") for seat in slips]
        figure = " : ".join(f"{points:,.5g}" for points in event.points)
        middle = Middle(title=" and ".join(actions), figure=figure)
        return Telling(
            turn=event.round,
            phase="choose" if self._rules.messages else "",
            text=(sentence(0, f": {actions[0]}, ", 1, f": {actions[1]}"), *choices),
            effects=(Set(values=values), *([Mark(tone="bad")] if slips else [])),
            middle=middle if self._rules.messages else None,
        )


def _tell_end(event: RepeatedEnded) -> Telling:
    best = event.totals[event.winners[0]]
    words = (
        sentence("both end with the same")
        if len(event.winners) == 2
        else sentence(*listed(event.winners), f" has most, with {best:,.10g}")
    )
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence(f"end after round {event.round}"),
        text=(words,),
        effects=(Set(values={"total": tuple(event.totals)}), Mark(tone="gold")),
        joined=True,
    )


PRESENTATION = Presentation(scene, RepeatedTeller)
