"""The generator that plays voluntary contributions, and the view of a seat. A round has one step for each message (or
one for all messages, if they are written at once), one step for all contributions and, if the rules have points, one
step in which all seats assign them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ostrom.core import (
    Amount,
    Answer,
    Choice,
    Fields,
    Play,
    Question,
    Seat,
    Spec,
    Table,
    Text,
    Value,
    When,
)
from ostrom.core.arrays import Array
from ostrom.core.table import Past
from ostrom.games.contributions.events import (
    AssignedPoints,
    ContributionsEnded,
    ContributionsMessageSaid,
    PointsAssigned,
    RoundContributed,
    RoundPaid,
)
from ostrom.games.contributions.points import LEAVE, STAY, PointsSpec, cost_of, most_points, points_field
from ostrom.games.contributions.rules import (
    ALL_OR_NOTHING,
    AT_ONCE,
    DEDUCT,
    ContributionsRules,
    RoundIncome,
    income_of,
    payoffs_of,
)

MESSAGE: Final = "message"
CONTRIBUTION: Final = "contribution"
POINTS: Final = "points"
"""The phases of a round."""
SPEAKING: Final = "speaking"
"""The purpose of the draw that determines the order of speaking."""


class SeatOutcome(NamedTuple):
    """The payoff of a seat in a past round, and the points that it gave and received."""

    payoff: float
    deducts: int
    """The deduction points that the seat assigned."""
    deducted: int
    """The deduction points that it received."""
    rewards: int
    rewarded: int


class PointsGiven(NamedTuple):
    """Points in a past round, as one seat knows them."""

    kind: str
    giver: int | None
    """None if the seat was not told who assigned them."""
    target: int
    points: int


class PastContributions(NamedTuple):
    """A past round, as far as all seats know it."""

    round: int
    contributions: tuple[int | None, ...]
    """The contribution of each seat; None for a seat that took no part. Empty if only the sum is shown."""
    total: int
    fund: float
    share: float
    outcomes: tuple[SeatOutcome | None, ...]
    """The outcome of each seat. Empty if outcomes are not shown."""
    messages: tuple[tuple[int, str], ...]
    """Pairs (seat, text) in the order of speaking."""


class OwnContributions(NamedTuple):
    """A past round of the seat itself."""

    seat: int
    contribution: int | None
    outcome: SeatOutcome
    points: tuple[PointsGiven, ...]
    """The points that the seat assigned, then those that it received."""


@dataclass(frozen=True)
class ContributionsView:
    """The game as one seat sees it. Sequences over seats are indexed by seat, from 0."""

    rules: ContributionsRules
    """The rules. If players do not know the number of rounds, `rounds` has the number of the present round."""
    round: int
    """The number of the round, counted from 1."""
    seat: int
    present: tuple[bool, ...]
    """For each seat, whether it still takes part."""
    earnings: float
    """The sum of the seat's payoffs in past rounds."""
    said: tuple[tuple[int, str], ...]
    """The messages of this round so far, as pairs (seat, text)."""
    own_contribution: int | None
    """The seat's contribution in this round, once all have contributed."""
    contributions: tuple[int | None, ...] | None
    """The contributions of this round, once all have contributed. None also if only their sum is shown."""
    total: int | None
    """The sum of the contributions of this round, once all have contributed."""
    share: float | None
    """Each seat's share of the fund of this round, once all have contributed."""
    budget: float
    """The largest amount that the seat may spend on points in this round."""
    history: Past[PastContributions]
    """The past rounds as far as all seats know them."""
    own: Past[OwnContributions]
    """The past rounds of the seat itself."""

    @property
    def last_round(self) -> int | None:
        """The number of the last round, or None if the seat does not know it."""
        return self.rules.last_round

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats that still take part."""
        return tuple(seat for seat, here in enumerate(self.present) if here and seat != self.seat)


def play(rules: ContributionsRules, table: Table) -> Play:
    """Play all rounds."""
    group = _Group(rules, table)
    for round_ in range(1, rules.rounds + 1):
        group.open(round_)
        if rules.messages:
            yield from group.talk()
        group.contribute((yield [group.ask_contribution(seat) for seat in group.here]))
        if rules.kinds:
            # Points need another seat to which they are assigned.
            asked = group.here if len(group.here) > 1 else []
            group.assign(asked, (yield [group.ask_points(seat) for seat in asked]) if asked else [])
        group.close()
        if len(group.here) < 2:
            break
    table.record(ContributionsEnded(round=group.round, earnings=list(group.earnings)))


class _Group:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: ContributionsRules, table: Table) -> None:
        self.rules, self.table = rules, table
        count = len(table.seats)
        self.round = 0
        self.present = [True] * count
        self.earnings = [0.0] * count
        self.said: list[tuple[int, str]] = []
        self.contributions: tuple[int | None, ...] | None = None
        self.paid: RoundIncome | None = None
        self.points: list[AssignedPoints] = []
        self.left_later: list[int] = []
        self.history: list[PastContributions] = []
        self.own: list[list[OwnContributions]] = [[] for _ in table.seats]

    @property
    def here(self) -> list[Seat]:
        return [seat for seat in self.table.seats if self.present[seat.index]]

    def open(self, round_: int) -> None:
        self.round, self.said, self.contributions, self.paid = round_, [], None, None
        self.points, self.left_later = [], []

    def talk(self) -> Play:
        """Ask all seats for a message, in turn or at once."""
        drawn = self.table.chance.order(self.table.seats, SPEAKING, self.round if self.rules.redraw_order else 1)
        order = [seat for seat in drawn if seat in self.here]
        groups = [self.here] if self.rules.talk == AT_ONCE else [[seat] for seat in order]
        for speakers in groups:
            text = Text(self.rules.message_words)
            messages = yield [
                self.table.ask(seat, MESSAGE, self.round, text, self.view(seat), fallback="") for seat in speakers
            ]
            for seat, message in zip(speakers, messages, strict=True):
                self.said.append((seat.index, str(message.value)))
                self.table.record(ContributionsMessageSaid(round=self.round, seat=seat.index, text=str(message.value)))

    def view(self, seat: Seat) -> ContributionsView:
        shown, own = self.contributions, None if self.contributions is None else self.contributions[seat.index]
        rules = self.rules
        return ContributionsView(
            rules=rules if rules.last_round is not None else rules.model_copy(update={"rounds": self.round}),
            round=self.round,
            seat=seat.index,
            present=tuple(self.present),
            earnings=self.earnings[seat.index],
            said=tuple(self.said),
            own_contribution=own,
            contributions=shown if rules.show_contributions == "each" else None,
            total=None if self.paid is None else int(self.paid.total[0]),
            share=None if self.paid is None else float(self.paid.share[0]),
            budget=self._budget(seat.index),
            history=Past(self.history),
            own=Past(self.own[seat.index]),
        )

    def _budget(self, seat: int) -> float:
        income = 0.0 if self.paid is None else float(self.paid.income[seat, 0])
        return max(0.0, self.earnings[seat] + income)

    def ask_contribution(self, seat: Seat) -> Question:
        most = self.rules.endowment
        amount: Spec = Choice((0, most)) if self.rules.contribution == ALL_OR_NOTHING else Amount(0, most, whole=True)
        fallback: Value = 0
        if self.rules.leave:
            stays = Choice((STAY, LEAVE))
            amount = Fields({STAY: stays, CONTRIBUTION: When(STAY, STAY, amount)})
            fallback = {STAY: STAY, CONTRIBUTION: 0}
        return self.table.ask(seat, CONTRIBUTION, self.round, amount, self.view(seat), fallback=fallback)

    def contribute(self, answers: Sequence[Answer]) -> None:
        """Collect the contributions, and share the fund out."""
        given: dict[int, int] = {}
        left = []
        for seat, answer in zip(self.here, answers, strict=True):
            value: Any = answer.value
            if self.rules.leave and value[STAY] == LEAVE:
                left.append(seat.index)
            else:
                given[seat.index] = value[CONTRIBUTION] if self.rules.leave else value
        for index in left:
            self.present[index] = False
        self.contributions = tuple(given.get(index) for index in range(len(self.present)))
        here = np.asarray(self.present)[:, None]
        self.paid = income_of(column([amount or 0 for amount in self.contributions]), here, self.rules)
        each = self.rules.show_contributions == "each"
        self.table.record(
            RoundContributed(
                round=self.round,
                readers=self._all() if each else [],
                contributions=list(self.contributions),
                left=left,
                total=int(self.paid.total[0]),
                fund=float(self.paid.fund[0]),
                share=float(self.paid.share[0]),
            )
        )

    def _all(self) -> list[int | None]:
        return [None, *range(len(self.present))]

    def ask_points(self, seat: Seat) -> Question:
        view = self.view(seat)
        rules = self.rules
        specs: dict[str, Spec] = {STAY: Choice((STAY, LEAVE))} if rules.leave else {}
        fallback: dict[str, Value] = {STAY: STAY} if rules.leave else {}
        for kind in rules.kinds:
            amount = Amount(0, most_points(kind, view.budget, rules), whole=True)
            for other in view.others:
                name = points_field(kind, other)
                specs[name] = When(STAY, STAY, amount) if rules.leave else amount
                fallback[name] = 0
        spec = PointsSpec(specs, rules, view.budget, rules.targets)
        return self.table.ask(seat, POINTS, self.round, spec, view, fallback=fallback)

    def assign(self, asked: Sequence[Seat], answers: Sequence[Answer]) -> None:
        """Record the points of all seats."""
        for seat, answer in zip(asked, answers, strict=True):
            value: Any = answer.value
            if self.rules.leave and value[STAY] == LEAVE:
                self.left_later.append(seat.index)
                continue
            for kind in self.rules.kinds:
                for other in range(len(self.present)):
                    points = value.get(points_field(kind, other)) or 0
                    if points:
                        row = AssignedPoints(kind=kind, giver=seat.index, target=other, points=points)
                        self.points.append(row)
        self.table.record(
            PointsAssigned(round=self.round, readers=[], points=list(self.points), left=list(self.left_later))
        )

    def close(self) -> None:
        """Pay the round."""
        assert self.paid is not None
        assert self.contributions is not None
        deducts, deducted, rewards, rewarded, spent = self._sums()
        payoffs = payoffs_of(self.paid.income, spent, deducted, rewarded, self.rules)[:, 0].tolist()
        outcomes: list[SeatOutcome | None] = []
        for seat, payoff in enumerate(payoffs):
            if self.contributions[seat] is None:
                outcomes.append(None)
                continue
            self.earnings[seat] += payoff
            points = (int(values[seat, 0]) for values in (deducts, deducted, rewards, rewarded))
            outcomes.append(SeatOutcome(payoff, *points))
        self.table.record(
            RoundPaid(
                round=self.round,
                readers=self._all() if self.rules.show_outcomes else [],
                spent=spent[:, 0].tolist(),
                outcomes=[None if outcome is None else outcome.payoff for outcome in outcomes],
                earnings=list(self.earnings),
            )
        )
        self._remember(outcomes)
        for seat in self.left_later:
            self.present[seat] = False

    def _sums(self) -> tuple[Array, Array, Array, Array, Array]:
        """Return deduction points assigned and received, reward points assigned and received, and the spending on
        points: (seats, 1)."""
        sums = np.zeros((5, len(self.present), 1))
        for row in self.points:
            first = 0 if row.kind == DEDUCT else 2
            sums[first, row.giver] += row.points
            sums[first + 1, row.target] += row.points
            sums[4, row.giver] += cost_of(row.kind, row.points, self.rules)
        return sums[0], sums[1], sums[2], sums[3], sums[4]

    def _remember(self, outcomes: Sequence[SeatOutcome | None]) -> None:
        assert self.paid is not None
        assert self.contributions is not None
        self.history.append(
            PastContributions(
                self.round,
                self.contributions if self.rules.show_contributions == "each" else (),
                int(self.paid.total[0]),
                float(self.paid.fund[0]),
                float(self.paid.share[0]),
                tuple(outcomes) if self.rules.show_outcomes else (),
                tuple(self.said),
            )
        )
        for seat, outcome in enumerate(outcomes):
            if outcome is not None:
                self.own[seat].append(
                    OwnContributions(seat, self.contributions[seat], outcome, tuple(self._points_of(seat)))
                )

    def _points_of(self, seat: int) -> Iterator[PointsGiven]:
        for row in self.points:
            if row.giver == seat:
                yield PointsGiven(row.kind, seat, row.target, row.points)
        for row in self.points:
            if row.target == seat:
                giver = row.giver if self.rules.show_actors else None
                yield PointsGiven(row.kind, giver, seat, row.points)


def column(values: Sequence[float]) -> Array:
    """Return amounts by seat as an array of one game."""
    return np.asarray(values, dtype=np.float64)[:, None]
