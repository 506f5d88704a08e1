"""Time: an amount sooner, or a larger one later. For every later amount, delay and front-end delay the sooner amount is
found at which the subject is indifferent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

from pydantic import Field

from ostrom.core import Play, Table
from ostrom.core.effects import Dates, Payment
from ostrom.games.battery.adaptive import (
    DOMINANCE,
    ENDS,
    TRANSITIVITY,
    AdaptiveRules,
    Course,
    Point,
    run,
    with_diagnostics,
)
from ostrom.games.battery.bisection import Bracket, Ending, Vote
from ostrom.games.battery.drawing import Asking, ChoiceList, Listing, by
from ostrom.games.battery.events import EVENTS
from ostrom.games.battery.grids import Amounts, Waits
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import stated_game

SOONER, LATER = OPTIONS = ("sooner", "later")
YEAR = 365.0
_CENTS = 2
"""Decimals of an amount of money. The last halvings of a small amount fall on the same cent; a choice enters the scores
with the amount that was shown."""
_DOMINATED = (0.95, 0.9, 0.8, 0.6, 0.5)
"""What comes later in questions of dominance, as parts of what comes sooner."""
_TRIPLES = (0.75, 0.55, 0.85)
"""The annual discount factor at which the options of each triple are worth the same."""


@dataclass(frozen=True, slots=True)
class TimeFacts:
    """What the chooser knows."""

    sooner: float
    sooner_days: float
    later: float
    later_days: float


class TimeRules(AdaptiveRules):
    """The time task."""

    task: ClassVar[str] = "time"
    roles: ClassVar[tuple[str, ...]] = ("chooser",)
    lists: ClassVar[Mapping[str, Listing]] = {"chooser": ChoiceList("sooner amount", OPTIONS[::-1], by("sooner"))}

    later: Amounts = (10.0, 100.0, 1000.0)
    """The later amounts."""
    delays: Amounts = (1.0, 3.0, 6.0, 12.0, 24.0, 36.0, 48.0, 60.0)
    """From the sooner to the later date, in months."""
    fronts: Waits = (0.0, 1.0, 12.0)
    """From today to the sooner date, in months."""
    month: float = Field(30.42, gt=0, le=1000)
    """Days; dates are shown in days."""

    @property
    def questions(self) -> int:
        """How many questions there are at most."""
        return self.most_questions(len(self.later) * len(self.delays) * len(self.fronts))

    def days(self, months: float) -> float:
        """Months in days."""
        return round(months * self.month, 6)

    def form(self, asking: Asking) -> Dates:
        """The two amounts on their days."""
        facts = asking.facts
        payments = (
            Payment(option=SOONER, amount=facts["sooner"], days=facts["sooner_days"]),
            Payment(option=LATER, amount=facts["later"], days=facts["later_days"]),
        )
        return Dates(payments=payments, choice=asking.choice)


@dataclass(frozen=True, slots=True)
class TimeState:
    """Looks for the ratio of the sooner to the later amount at which the subject is indifferent."""

    rules: TimeRules
    later: float
    delay: float
    front: float
    bracket: Bracket | None = None
    """Missing until the ends were asked."""
    ending: Ending | None = None

    @property
    def axis(self) -> None:
        """There is one scale only."""

    def points(self) -> tuple[Point, ...]:
        """Both ends at once, then the middle of what is left."""
        if self.bracket is None:
            return self._point(0, 0.0), self._point(1, 1.0)
        return (self._point(ENDS + self.bracket.halvings, self.bracket.middle),)

    def _point(self, step: int, ratio: float) -> Point:
        # What is shown is what is chosen from: the amount is rounded here, not where it is written out.
        sooner = round(ratio * self.later, _CENTS)
        dates = self.rules.days(self.front), self.rules.days(self.front + self.delay)
        return Point(step, TimeFacts(sooner, dates[0], self.later, dates[1]), {"ratio": sooner / self.later})

    def after(self, votes: Sequence[Vote]) -> "TimeState":
        """Where it stands after the majorities at those points."""
        for vote in votes:
            if vote.choice is None:
                return replace(self, ending=Ending("invalid", reason=vote.reason))
        if self.bracket is None:
            nothing, everything = votes
            if nothing.choice == SOONER:
                return replace(self, ending=Ending("invalid", reason="preferred 0 sooner to the later amount"))
            if everything.choice == LATER:
                reason = "preferred to wait even for the full amount"
                return replace(self, ending=Ending("censored", 1.0, reason))
            return replace(self, bracket=Bracket())
        bracket = self.bracket.halved(as_high=votes[0].choice == SOONER)
        over = bracket.halvings == self.rules.bisections
        return replace(self, bracket=bracket, ending=Ending("point", bracket.middle) if over else None)


def _courses(rules: TimeRules) -> Iterator[Course]:
    for later, delay, front in product(rules.later, rules.delays, rules.fronts):
        yield Course(
            condition=f"later={later:g} delay={delay:g} front={front:g}",
            facts={"later": later, "delay_months": delay, "front_months": front, "days": rules.days(delay)},
            state=TimeState(rules, later, delay, front),
        )


def _dominance(rules: TimeRules) -> Iterator[Cell]:
    """More money sooner, or less later."""
    for place, share in enumerate(_DOMINATED[: rules.dominance]):
        amount, delay, front = (grid[place % len(grid)] for grid in (rules.later, rules.delays, rules.fronts))
        facts = TimeFacts(amount, rules.days(front), round(share * amount, _CENTS), rules.days(front + delay))
        condition = f"dominance={place + 1}"
        yield Cell("chooser", condition, facts, options=OPTIONS, purpose=DOMINANCE, detail={"dominant": SOONER})


def _transitivity(rules: TimeRules) -> Iterator[Cell]:
    """Three options, now, halfway and at the longest delay, that are worth the same at some discount factor."""
    amount, longest = rules.later[len(rules.later) // 2], rules.days(rules.delays[-1])
    for triple, delta in enumerate(_TRIPLES[: rules.triples], start=1):
        days = {"a": 0.0, "b": round(longest / 2, 6), "c": longest}
        worth = {name: amount * delta ** ((longest - wait) / YEAR) for name, wait in days.items()}
        worth = {name: round(value, _CENTS) for name, value in worth.items()}
        for first, second in ("ab", "bc", "ac"):
            yield Cell(
                role="chooser",
                condition=f"triple={triple} pair={first}{second}",
                facts=TimeFacts(worth[first], days[first], worth[second], days[second]),
                options=OPTIONS,
                purpose=TRANSITIVITY,
                detail={"triple": triple, "elements": {SOONER: first, LATER: second}},
            )


def play(rules: TimeRules, table: Table) -> Play:
    """Ask every sequence to its end, and the diagnostics along with the first step."""
    courses = with_diagnostics(rules, list(_courses(rules)), table)
    yield from run(rules, OPTIONS, courses, [*_dominance(rules), *_transitivity(rules)], table)


STATED_TIME = stated_game(TimeRules, "stated choices: an amount sooner or a larger one later", play=play, events=EVENTS)
