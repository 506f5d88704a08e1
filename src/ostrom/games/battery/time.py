"""Time: the choice between a smaller amount sooner and a larger amount later. For every later amount, delay and
front-end delay, a sequence of questions finds the sooner amount at which the subject is indifferent."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar

import numpy as np
from pydantic import Field
from typing_extensions import override

from ostrom.core.effects import Dates, Payment
from ostrom.games.battery import adaptive
from ostrom.games.battery.items import EVENTS, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number
from ostrom.games.battery.rules import Amounts, ChoiceList, Role, Waits
from ostrom.games.battery.stated import stated_game

SOONER, LATER = OPTIONS = ("sooner", "later")
YEAR = 365.0
"""The length of a year in days."""
_CENTS = 2
"""The number of decimals of an amount of money. The last bisections of a small amount may ask about the same number of
cents, so scores use the amounts as shown."""
_DOMINATED = (0.95, 0.9, 0.8, 0.6, 0.5)
"""The later amounts in dominance questions, as shares of the sooner one."""
_TRIPLES = (0.75, 0.55, 0.85)
"""For each triple, the annual discount factor at which its options are worth the same."""


@dataclass(frozen=True, slots=True)
class TimeFacts(Facts):
    """The facts in the question to the chooser."""

    sooner: float
    sooner_days: float
    later: float
    later_days: float

    @override
    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        payments = {SOONER: (self.sooner, self.sooner_days), LATER: (self.later, self.later_days)}
        payments_text = {option: f"{money(amount)} {_when(days)}" for option, (amount, days) in payments.items()}
        return {"payment": payments_text.__getitem__}


# The next functions are formulas of discounting over numbers or arrays. Simulated subjects use them to answer, and
# scores are fits of these formulas.


def rate_of(delta: Number) -> Number:
    """Return the discount rate ρ = −ln δ of an annual factor δ."""
    return -np.log(delta)


def exponential(years: Number, rate: Number) -> Number:
    """Return D(t) = δ^t = exp(−ρ·t) (Samuelson 1937)."""
    return np.exp(-rate * years)


def quasi_hyperbolic(years: Number, beta: Number, rate: Number) -> Number:
    """Return D(0) = 1 and D(t) = β·δ^t for t > 0 (Laibson 1997)."""
    return np.where(years > 0, beta, 1.0) * exponential(years, rate)


def hyperbolic(years: Number, k: Number) -> Number:
    """Return D(t) = 1 / (1 + k·t) (Mazur 1987)."""
    return 1 / (1 + k * years)


def magnitude_delta(stake: Number) -> Number:
    """Return δ = 0.75 + 0.1·log10(x / 10), between 0.01 and 1: patience grows with the stake (Thaler 1981)."""
    return np.minimum(1.0, np.maximum(0.01, 0.75 + 0.1 * np.log10(np.maximum(stake, 1e-9) / 10)))


def _when(days: float) -> str:
    whole = round(days)
    return "today" if whole == 0 else f"in {whole} day{'' if whole == 1 else 's'}"


class TimeRules(adaptive.AdaptiveRules, task="time"):
    """The rules of the time task."""

    options: ClassVar[tuple[str, str]] = OPTIONS
    facts: ClassVar[type[Facts]] = TimeFacts
    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("time", ChoiceList("sooner amount", OPTIONS[::-1], "sooner"))
    }
    quick: ClassVar[Mapping[str, Any]] = {"later": [10, 1000], "delays": [6, 36], "fronts": [0, 12], **adaptive.BRIEF}
    led_by: ClassVar[str] = "exponential:delta=0.9"

    later: Amounts = (10.0, 100.0, 1000.0)
    """The later amounts."""
    delays: Amounts = (1.0, 3.0, 6.0, 12.0, 24.0, 36.0, 48.0, 60.0)
    """The delays from the sooner to the later date, in months."""
    fronts: Waits = (0.0, 1.0, 12.0)
    """The front-end delays from today to the sooner date, in months."""
    month: float = Field(30.42, gt=0, le=1000)
    """The length of a month in days. Dates are shown in days."""

    @property
    def grid(self) -> list[tuple[float, float, float]]:
        """The later amount, delay and front-end delay of every sequence."""
        return list(product(self.later, self.delays, self.fronts))

    @override
    def sequence_settings(self) -> list[Mapping[str, Any]]:
        return [{"later": [later], "delays": [delay], "fronts": [front]} for later, delay, front in self.grid]

    @override
    def courses(self) -> Iterator[adaptive.Course]:
        for later, delay, front in self.grid:
            yield adaptive.Course(
                condition=f"later={later:g} delay={delay:g} front={front:g}",
                facts={"later": later, "delay_months": delay, "front_months": front, "days": self.days(delay)},
                search=partial(self.search, later, delay, front),
            )

    def search(self, later: float, delay: float, front: float) -> adaptive.Search:
        """Search for the ratio of the sooner to the later amount at which the subject is indifferent. Both ends of the
        range are asked in one step. Then the range is bisected."""

        def at(step: int, ratio: float) -> adaptive.SequencePoint:
            # The amount is rounded here and not when it is formatted, so that scores use the amount that was shown.
            sooner = round(ratio * later, _CENTS)
            facts = TimeFacts(sooner, self.days(front), later, self.days(front + delay))
            return adaptive.SequencePoint(step, facts, {"ratio": sooner / later})

        nothing, everything = yield at(0, 0.0), at(1, 1.0)
        if nothing == SOONER:
            return adaptive.SequenceOutcome("invalid", reason="preferred 0 sooner to the later amount")
        if everything == LATER:
            return adaptive.SequenceOutcome("censored", 1.0, "preferred to wait even for the full amount")
        return (yield from adaptive.bisect(self.bisections, at, SOONER))

    @override
    def dominances(self) -> Iterator[tuple[TimeFacts, str]]:
        for place, share in enumerate(_DOMINATED):
            amount, delay, front = (grid[place % len(grid)] for grid in (self.later, self.delays, self.fronts))
            later = round(share * amount, _CENTS)
            yield TimeFacts(amount, self.days(front), later, self.days(front + delay)), SOONER

    def equals(self) -> Iterator[Mapping[str, tuple[float, float]]]:
        """Yield triples of options: a payment now, one halfway to the longest delay, and one after the longest delay.
        At the triple's discount factor all three are worth the same."""
        amount, longest = self.later[len(self.later) // 2], self.days(self.delays[-1])
        days = {"a": 0.0, "b": round(longest / 2, 6), "c": longest}
        for delta in _TRIPLES:
            yield {
                name: (round(amount * delta ** ((longest - wait) / YEAR), _CENTS), wait) for name, wait in days.items()
            }

    def days(self, months: float) -> float:
        """Convert months to days."""
        return round(months * self.month, 6)

    @override
    def form(self, item: ItemAnswered) -> Dates:
        payments = tuple(
            Payment(option=option, amount=item.facts[option], days=item.facts[f"{option}_days"]) for option in OPTIONS
        )
        return Dates(payments=payments, choice=item.choice)


STATED = stated_game(TimeRules, "an amount sooner or a larger one later", play=adaptive.play, events=EVENTS)
