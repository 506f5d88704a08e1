"""The scene of bargaining over several issues: the pool of goods in the middle, and on the cards of the seats the units
that the open deal gives them. The points of a seat are those that it has as things stand: the worth of the open deal,
for readers who may know it, or the points without a deal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Effect, Mark, Middle, Say, Set, Telling, Tone, Transfer, sentence
from ostrom.core.scene import Card, Centre, Flow, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.core.text import number_of
from ostrom.games.market.several_issues.events import (
    BargainEnded,
    DealSubmitted,
    IssueActTaken,
    IssueMessageSaid,
    IssuesDealt,
)
from ostrom.games.market.several_issues.play import ACCEPT, END_TALK, REJECT, WALK_AWAY, field_of
from ostrom.games.market.several_issues.rules import ROLES, SeveralIssuesRules

_WORDS: Final = {
    ACCEPT: "accepts the deal",
    REJECT: "rejects the deal",
    WALK_AWAY: "walks away",
    END_TALK: "ends the talk",
}
_TONES: Final[Mapping[str, Tone]] = {ACCEPT: "good", REJECT: "bad", WALK_AWAY: "bad"}


def scene(rules: SeveralIssuesRules, seats: int) -> Scene:
    """Return the scene of a game."""
    goods = rules.good_names
    return Scene(
        layout="table",
        title="Several issues",
        clock="turn",
        horizon=rules.turns,
        pace=1,
        final="points",
        course="first",
        roles=ROLES,
        quantities={
            "points": Quantity(title="Points", unit="points", note="as things stand"),
            **{field_of(good): Quantity(title=good.capitalize(), digits=0, low=0) for good in goods},
            "pool": Quantity(title="Units in the pool", of="table", digits=0, low=0),
            "first": Quantity(title="Units of the first speaker in the open deal", of="table", digits=0, low=0),
        },
        flows={"units": Flow(title="Units", tone="good")},
        phases=(Phase(name="move", title="Turn"),),
        card=Card(
            quantity="points",
            notes=tuple(QuantityField(quantity=field_of(good), title=good) for good in goods),
        ),
        centre=Centre(quantity="pool", title="Pool"),
        strip=Strip(bars="first"),
        standing=(
            QuantityField(quantity="points"),
            QuantityField(quantity="points", title="Points by turn", line=True),
            *(QuantityField(quantity=field_of(good)) for good in goods),
        ),
    )


class SeveralIssuesTeller(Teller):
    """Describes the events of a bargain, one after the other."""

    def __init__(self, rules: SeveralIssuesRules, seats: int) -> None:
        self._rules = rules
        self._goods = rules.good_names
        self._outside = (rules.outside_points,) * len(ROLES)
        self._counts: list[int] = []
        self._middle: Middle | None = None

    @override
    def opening(self) -> Telling:
        goods = _listed(self._goods)
        words = sentence(f"two seats divide {goods} in at most {self._rules.turns} turns")
        return Telling(text=(words,), effects=(Set(values={"points": self._outside}),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case IssuesDealt():
                self._counts = list(event.counts)
                self._middle = self._pool()
                pool = sentence(f"the pool has {self._units(event.counts)}")
                text = (pool, sentence("each seat learns what a unit of each good is worth to it"))
                units = Set(values={"pool": sum(event.counts)})
                return Telling(text=text, effects=(units,), middle=self._middle)
            case IssueMessageSaid():
                said = (Say(seat=event.seat, text=event.text),)
                return Telling(turn=event.round, phase="move", effects=said, middle=self._middle)
            case DealSubmitted():
                return self._submitted(event)
            case IssueActTaken():
                return self._act(event)
            case BargainEnded():
                return self._end(event)
            case _:
                raise TypeError(f"not an event of several issues: {event!r}")

    def _units(self, units: Sequence[int]) -> str:
        """Return units of goods in words."""
        return _listed([f"{count} {good}" for count, good in zip(units, self._goods, strict=True)])

    def _pool(self) -> Middle:
        notes = tuple(f"{count} {good}" for count, good in zip(self._counts, self._goods, strict=True))
        return Middle(title="Pool", figure=number_of(sum(self._counts), "unit"), notes=notes)

    def _divided(self, title: str, units: Sequence[Sequence[int]]) -> Middle:
        first, second = units
        notes = tuple(f"{good} {one} : {other}" for good, one, other in zip(self._goods, first, second, strict=True))
        return Middle(title=title, figure=f"{sum(first)} : {sum(second)}", notes=notes)

    def _set(self, units: Sequence[Sequence[int] | None] | None, **values: Any) -> Set:
        """Return the units of both seats as an effect, with values of further quantities."""
        shares = [None] * len(ROLES) if units is None else units
        by_good = {
            field_of(good): tuple(None if share is None else share[place] for share in shares)
            for place, good in enumerate(self._goods)
        }
        first = shares[0]
        return Set(values={**by_good, "first": None if first is None else sum(first), **values})

    def _submitted(self, event: DealSubmitted) -> Telling:
        own, other = event.units[event.seat], event.units[1 - event.seat]
        asks = sentence(event.seat, f" submits a deal: {self._units(own)} for itself")
        leaves = sentence(1 - event.seat, f" would get {self._units(other)}")
        self._middle = self._divided("Submitted deal", event.units)
        return Telling(
            turn=event.round,
            phase="move",
            title=asks,
            text=(leaves,),
            # Until the end of the game, a reader may not know what the deal is worth to each seat.
            effects=(self._set(event.units, points=tuple(event.worth)),),
            middle=self._middle,
        )

    def _act(self, event: IssueActTaken) -> Telling:
        effects: tuple[Effect, ...] = () if event.act == END_TALK else (Mark(tone=_TONES[event.act]),)
        if event.act == REJECT:
            self._middle = self._pool()
            effects = (self._set(None, points=self._outside), *effects)
        words = sentence(event.seat, f" {_WORDS[event.act]}")
        return Telling(turn=event.round, phase="move", title=words, effects=effects, middle=self._middle)

    def _end(self, event: BargainEnded) -> Telling:
        first, second = event.points
        choices = [
            sentence(seat, " wants no deal" if choice is None else f" takes {self._units(choice)}")
            for seat, choice in enumerate(event.choices or ())
        ]
        text = (*choices, sentence(0, f" has {first:,.6g} points, ", 1, f" {second:,.6g}"))
        result = Set(values={"points": (first, second)})
        if event.units is None:
            return Telling(
                turn=event.round,
                phase="end",
                title=sentence("the end without a deal"),
                text=text,
                effects=(self._set(None), result, Mark(tone="bad")),
                middle=Middle(title="No deal", figure=number_of(sum(self._counts), "unit"), notes=("not divided",)),
            )
        amounts = (sum(event.units[0]), sum(event.units[1]))
        transfer = Transfer(kind="units", source="table", target="each", amount=amounts)
        return Telling(
            turn=event.round,
            phase="end",
            title=sentence("the end with a deal"),
            text=text,
            effects=(transfer, self._set(event.units, pool=0), result, Mark(tone="gold")),
            middle=self._divided("Deal", event.units),
        )


def _listed(parts: Sequence[str]) -> str:
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


PRESENTATION = Presentation(scene, SeveralIssuesTeller)
