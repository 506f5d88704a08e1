"""Time: an amount sooner, or a larger one later. For every later amount, delay and front-end delay the sooner amount is
found at which the subject is indifferent."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core.effects import Dates, Payment
from ostrom.games.battery.adaptive import BRIEF, AdaptiveRules, Course, Ending, Point, Search, bisected, play
from ostrom.games.battery.items import EVENTS, Facts, ItemAnswered
from ostrom.games.battery.rules import Amounts, ChoiceList, Role, Waits
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
    facts: ClassVar[type[Facts]] = TimeFacts
    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("time", ChoiceList("sooner amount", OPTIONS[::-1], "sooner"))
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
                search=partial(self.search, later, delay, front),
            )

    def search(self, later: float, delay: float, front: float) -> Search:
        """Looks for the ratio of the sooner to the later amount at which the subject is indifferent: both ends at once,
        then the middle of what is left."""

        def at(step: int, ratio: float) -> Point:
            # What is shown is what is chosen from: the amount is rounded here, not where it is written out.
            sooner = round(ratio * later, _CENTS)
            facts = TimeFacts(sooner, self.days(front), later, self.days(front + delay))
            return Point(step, facts, {"ratio": sooner / later})

        nothing, everything = yield at(0, 0.0), at(1, 1.0)
        if nothing == SOONER:
            return Ending("invalid", reason="preferred 0 sooner to the later amount")
        if everything == LATER:
            return Ending("censored", 1.0, "preferred to wait even for the full amount")
        return (yield from bisected(self.bisections, at, SOONER))

    def dominances(self) -> Iterator[tuple[TimeFacts, str]]:
        """More money sooner, or less later."""
        for place, share in enumerate(_DOMINATED):
            amount, delay, front = (grid[place % len(grid)] for grid in (self.later, self.delays, self.fronts))
            later = round(share * amount, _CENTS)
            yield TimeFacts(amount, self.days(front), later, self.days(front + delay)), SOONER

    def equals(self) -> Iterator[Mapping[str, tuple[float, float]]]:
        """Three options, now, halfway and at the longest delay, that are worth the same at some discount factor."""
        amount, longest = self.later[len(self.later) // 2], self.days(self.delays[-1])
        days = {"a": 0.0, "b": round(longest / 2, 6), "c": longest}
        for delta in _TRIPLES:
            yield {
                name: (round(amount * delta ** ((longest - wait) / YEAR), _CENTS), wait) for name, wait in days.items()
            }

    def days(self, months: float) -> float:
        """Months in days."""
        return round(months * self.month, 6)

    def form(self, item: ItemAnswered) -> Dates:
        """The two amounts on their days."""
        payments = tuple(
            Payment(option=option, amount=item.facts[option], days=item.facts[f"{option}_days"]) for option in OPTIONS
        )
        return Dates(payments=payments, choice=item.choice)


STATED = stated_game(TimeRules, "an amount sooner or a larger one later", play=play, events=EVENTS)
