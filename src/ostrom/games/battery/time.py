"""Time: an amount sooner, or a larger one later. For every later amount, delay and front-end delay the sooner amount is
found at which the subject is indifferent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core.effects import Dates, Payment
from ostrom.games.battery.adaptive import (
    BRIEF,
    DOMINANCE,
    ENDS,
    AdaptiveRules,
    Bracket,
    Course,
    Ending,
    Point,
    Vote,
    in_pairs,
    play,
)
from ostrom.games.battery.drawing import ChoiceList, by
from ostrom.games.battery.events import EVENTS, ItemAnswered
from ostrom.games.battery.grids import Amounts, Role, Waits
from ostrom.games.battery.items import Cell, Facts
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
class TimeFacts(Facts):
    """What the chooser knows."""

    sooner: float
    sooner_days: float
    later: float
    later_days: float

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both payments, by option. Days are told whole."""
        payments = {SOONER: (self.sooner, self.sooner_days), LATER: (self.later, self.later_days)}
        told = {option: f"{money(amount)} {_when(days)}" for option, (amount, days) in payments.items()}
        return {"payment": told.__getitem__}


def _when(days: float) -> str:
    whole = round(days)
    return "today" if whole == 0 else f"in {whole} day{'' if whole == 1 else 's'}"


class TimeRules(AdaptiveRules, task="time"):
    """The time task."""

    options: ClassVar[tuple[str, str]] = OPTIONS
    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("time", ChoiceList("sooner amount", OPTIONS[::-1], by("sooner")))
    }
    quick: ClassVar[Mapping[str, Any]] = {"later": [10, 1000], "delays": [6, 36], "fronts": [0, 12], **BRIEF}
    led_by: ClassVar[str] = "exponential:delta=0.9"

    later: Amounts = (10.0, 100.0, 1000.0)
    """The later amounts."""
    delays: Amounts = (1.0, 3.0, 6.0, 12.0, 24.0, 36.0, 48.0, 60.0)
    """From the sooner to the later date, in months."""
    fronts: Waits = (0.0, 1.0, 12.0)
    """From today to the sooner date, in months."""
    month: float = Field(30.42, gt=0, le=1000)
    """Days; dates are shown in days."""

    @property
    def grid(self) -> list[tuple[float, float, float]]:
        """Later amount, delay and front-end delay of every sequence."""
        return list(product(self.later, self.delays, self.fronts))

    def singly(self) -> list[Mapping[str, Any]]:
        """For each sequence of the grid, the settings under which it is the only one."""
        return [{"later": [later], "delays": [delay], "fronts": [front]} for later, delay, front in self.grid]

    def courses(self) -> Iterator[Course]:
        """A sequence for every later amount, delay and front-end delay."""
        for later, delay, front in self.grid:
            yield Course(
                condition=f"later={later:g} delay={delay:g} front={front:g}",
                facts={"later": later, "delay_months": delay, "front_months": front, "days": self.days(delay)},
                state=TimeState(self, later, delay, front),
            )

    def diagnostics(self) -> Iterator[Cell]:
        """More money sooner, or less later; and three options, now, halfway and at the longest delay, that are worth
        the same at some discount factor."""
        for place, share in enumerate(_DOMINATED[: self.dominance]):
            amount, delay, front = (grid[place % len(grid)] for grid in (self.later, self.delays, self.fronts))
            facts = TimeFacts(amount, self.days(front), round(share * amount, _CENTS), self.days(front + delay))
            condition = f"dominance={place + 1}"
            yield Cell("chooser", condition, facts, options=OPTIONS, purpose=DOMINANCE, detail={"dominant": SOONER})
        amount, longest = self.later[len(self.later) // 2], self.days(self.delays[-1])
        days = {"a": 0.0, "b": round(longest / 2, 6), "c": longest}
        triples = [
            {name: (round(amount * delta ** ((longest - wait) / YEAR), _CENTS), wait) for name, wait in days.items()}
            for delta in _TRIPLES[: self.triples]
        ]
        yield from in_pairs(TimeRules, triples, lambda first, second: TimeFacts(*first, *second))

    def days(self, months: float) -> float:
        """Months in days."""
        return round(months * self.month, 6)

    def form(self, item: ItemAnswered) -> Dates:
        """The two amounts on their days."""
        payments = tuple(
            Payment(option=option, amount=item.facts[option], days=item.facts[f"{option}_days"]) for option in OPTIONS
        )
        return Dates(payments=payments, choice=item.choice)


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


STATED = stated_game(TimeRules, "an amount sooner or a larger one later", play=play, events=EVENTS)
