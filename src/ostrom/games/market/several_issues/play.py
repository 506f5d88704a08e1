"""The generator that plays a bargain over several issues, and the view of a seat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ostrom.core import Amount, Choice, Fields, Play, Question, Spec, Table, Text, When
from ostrom.core.chance import logged_facts
from ostrom.core.table import Past
from ostrom.games.market.several_issues.events import (
    BargainEnded,
    DealSubmitted,
    IssueActTaken,
    IssueMessageSaid,
    IssuesDealt,
)
from ostrom.games.market.several_issues.pool import (
    Units,
    Values,
    draw_counts,
    draw_pool_values,
    draw_priorities,
    left_of,
    points_of,
)
from ostrom.games.market.several_issues.rules import CHOICES, PRIORITIES, ROLES, SeveralIssuesRules

MOVE: Final = "move"
CHOICE: Final = "choice"
"""The phases: a turn of one seat, and the choices of both."""

SAY: Final = "say"
PASS: Final = "pass"
DEAL: Final = "submit"
ACCEPT: Final = "accept"
REJECT: Final = "reject"
WALK_AWAY: Final = "walk-away"
END_TALK: Final = "end-talk"
"""The acts of a turn."""
TAKE: Final = "take"
NO_DEAL: Final = "no-deal"
"""The acts of a choice."""


class PastMove(NamedTuple):
    """A past turn, which both seats know."""

    turn: int
    seat: int
    act: str
    text: str
    """The message; empty if the seat said nothing."""
    units: tuple[Units, ...]
    """The units of each seat in a submitted deal; empty for other acts."""


class OpenDeal(NamedTuple):
    """A submitted deal that is neither accepted nor rejected."""

    seat: int
    """The seat that submitted it."""
    units: tuple[Units, ...]
    """The units that each seat would get."""


@dataclass(frozen=True)
class SeveralIssuesView:
    """The bargain as one seat sees it."""

    rules: SeveralIssuesRules
    turn: int
    """The number of the turn, counted from 1."""
    seat: int
    role: str
    goods: tuple[str, ...]
    counts: Units
    """The units of each good in the pool."""
    values: Values
    """The seat's own points for a unit of each good."""
    history: Past[PastMove]
    deal: OpenDeal | None
    """The last submitted deal, unless it was rejected."""

    @property
    def acts(self) -> tuple[str, ...]:
        """The legal acts of this turn."""
        return legal_acts(self.rules, self.turn, self.can_respond)

    @property
    def can_respond(self) -> bool:
        """True if the other seat has submitted a deal that is open."""
        return self.deal is not None and self.deal.seat != self.seat


def play(rules: SeveralIssuesRules, table: Table) -> Play:
    """Play until a deal, until a seat walks away, or until the turns are over."""
    bargain = _Bargain(rules, table)
    yield from bargain.talk()
    if rules.agreement == CHOICES:
        yield from bargain.choose()
    bargain.end()


def legal_acts(rules: SeveralIssuesRules, turn: int, can_respond: bool) -> tuple[str, ...]:
    """Return the legal acts of a turn. A deal that is submitted in the last turn could not be accepted."""
    first = SAY if rules.messages else PASS
    if rules.agreement == CHOICES:
        return (first, DEAL, END_TALK)
    submit = (DEAL,) if turn < rules.turns else ()
    respond = (ACCEPT, REJECT) if can_respond else ()
    return (first, *submit, *respond, WALK_AWAY)


def field_of(good: str) -> str:
    """Return the name of the field that has the units of a good."""
    return good.replace(" ", "_")


def _units_fields(goods: Sequence[str], counts: Units, act: str) -> dict[str, Spec]:
    return {
        field_of(good): When("act", act, Amount(0, count, whole=True))
        for good, count in zip(goods, counts, strict=True)
    }


def units_in(answer: Mapping[str, Any], goods: Sequence[str]) -> Units:
    """Return the units of an answer."""
    return tuple(answer[field_of(good)] for good in goods)


class _Bargain:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: SeveralIssuesRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.public_rules = rules.without_given()
        self.goods = rules.good_names
        self.counts = _counts(rules, table)
        self.values = _values(rules, table, self.counts)
        self.turn = 0
        self.history: list[PastMove] = []
        self.deal: OpenDeal | None = None
        self.agreed: tuple[Units, ...] | None = None
        self.choices: list[Units | None] = []
        self.outcome = NO_DEAL
        table.record(IssuesDealt(counts=list(self.counts), values=[list(own) for own in self.values]))

    def view(self, seat: int) -> SeveralIssuesView:
        return SeveralIssuesView(
            rules=self.public_rules,
            turn=self.turn,
            seat=seat,
            role=ROLES[seat],
            goods=self.goods,
            counts=self.counts,
            values=self.values[seat],
            history=Past(self.history),
            deal=self.deal,
        )

    def talk(self) -> Play:
        """Let the seats move in turn. A seat that rejects a deal moves again."""
        seat = 0
        while self.turn < self.rules.turns:
            self.turn += 1
            (answer,) = yield [self._question(seat)]
            act = self._apply(seat, answer.value)
            if act in (ACCEPT, WALK_AWAY, END_TALK):
                return
            if act != REJECT:
                seat = 1 - seat

    def _question(self, seat: int) -> Question:
        view = self.view(seat)
        specs: dict[str, Spec] = {"act": Choice(view.acts)}
        fallback: dict[str, Any] = {"act": view.acts[0]}
        if self.rules.messages:
            specs["text"] = Text(self.rules.message_words)
            fallback["text"] = ""
        if DEAL in view.acts:
            specs |= _units_fields(self.goods, self.counts, DEAL)
        return self.table.ask(self.table.seats[seat], MOVE, self.turn, Fields(specs), view, fallback=fallback)

    def _apply(self, seat: int, answer: Mapping[str, Any]) -> str:
        """Record a turn, and return its act."""
        act: str = answer["act"]
        text: str = answer.get("text") or ""
        if text.strip():
            self.table.record(IssueMessageSaid(round=self.turn, seat=seat, text=text))
        units: tuple[Units, ...] = ()
        if act == DEAL:
            units = self._shares(seat, units_in(answer, self.goods))
            self.deal = OpenDeal(seat, units)
            worth = [points_of(share, own) for share, own in zip(units, self.values, strict=True)]
            shares = [list(share) for share in units]
            self.table.record(DealSubmitted(round=self.turn, seat=seat, units=shares, worth=worth))
        elif act not in (SAY, PASS):
            self.table.record(IssueActTaken(round=self.turn, seat=seat, act=act))
        if act == ACCEPT:
            assert self.deal is not None
            self.agreed, self.outcome = self.deal.units, "deal"
        elif act == REJECT:
            self.deal = None
        elif act == WALK_AWAY:
            self.outcome = WALK_AWAY
        self.history.append(PastMove(self.turn, seat, act, text, units))
        return act

    def _shares(self, seat: int, own: Units) -> tuple[Units, ...]:
        other = left_of(self.counts, own)
        return (own, other) if seat == 0 else (other, own)

    def choose(self) -> Play:
        """Ask both seats at once what they take. They agree if the choices add up to the pool."""
        spec = Fields({"act": Choice((TAKE, NO_DEAL)), **_units_fields(self.goods, self.counts, TAKE)})
        answers = yield [
            self.table.ask(seat, CHOICE, self.turn, spec, self.view(seat.index), fallback={"act": NO_DEAL})
            for seat in self.table.seats
        ]
        self.choices = []
        for answer in answers:
            chosen: Any = answer.value
            self.choices.append(units_in(chosen, self.goods) if chosen["act"] == TAKE else None)
        first, second = self.choices
        if first is not None and second is not None and second == left_of(self.counts, first):
            self.agreed, self.outcome = (first, second), "deal"

    def end(self) -> None:
        points = [self.rules.outside_points] * len(ROLES)
        if self.agreed is not None:
            points = [points_of(share, own) for share, own in zip(self.agreed, self.values, strict=True)]
        self.table.record(
            BargainEnded(
                round=self.turn,
                outcome=self.outcome,
                units=None if self.agreed is None else [list(share) for share in self.agreed],
                choices=[None if choice is None else list(choice) for choice in self.choices] or None,
                values=[list(own) for own in self.values],
                points=points,
            )
        )


def _counts(rules: SeveralIssuesRules, table: Table) -> Units:
    logged = logged_facts(table.chance).get("counts")
    if logged is not None:
        return tuple(logged)
    given = rules.given_counts
    return draw_counts(table.chance, len(rules.good_names), rules.worth) if given is None else given


def _values(rules: SeveralIssuesRules, table: Table, counts: Units) -> list[Values]:
    logged = logged_facts(table.chance).get("values")
    if logged is not None:
        return [tuple(own) for own in logged]
    if rules.given is not None:
        return rules.given_values
    if rules.values == PRIORITIES:
        return draw_priorities(table.chance, rules.scale_values)
    return draw_pool_values(table.chance, counts, rules.worth)
