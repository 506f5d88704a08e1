"""What a simulated subject is: a theory with parameters, and noise. A subject answers every item of every task and
plays every role; which of them its theory is about, and what it does elsewhere, stands in its docstring.

It comes from values to an answer by taking the best option, or, with noise μ, an option with a chance that grows with
its value by the logit rule (Luce 1959; McFadden 1974). Values are in parts of the larger amount at stake, so that the
same noise means the same at every stake."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ostrom.core import Question, Registry
from ostrom.core.specs import Amount, Spec, Stepped
from ostrom.players.strategy import Strategy, StrategyEntry, enter, entry_of, named

SUBJECT = "subject"
"""The purpose of a subject's draws."""
TIE = 1e-9
"""Values that differ by less are equal: the rest is rounding error."""
STEPS = 100
"""Into how many parts the range of a number is divided where a noisy subject picks one."""
CENTS = 2
"""The decimals of an amount of money."""

Worth: TypeAlias = Mapping[str, float]
"""What each option is worth, in parts of the larger amount. Of equals the first named is chosen."""
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Subject(Strategy):
    """A simulated subject: a strategy for every task of the battery. It keeps nothing in mind from one question to the
    next. The first sentence of its docstring says what it is."""

    @classmethod
    def purpose(cls, question: Question) -> str:
        """The same for every question."""
        return SUBJECT


SUBJECTS: Registry[StrategyEntry] = Registry("subject")
"""All simulated subjects by name."""

Defined = TypeVar("Defined", bound=type[Subject])


def subject(name: str) -> Callable[[Defined], Defined]:
    """Class decorator: register a subject for every task of the battery under this name."""

    def registered(defined: Defined) -> Defined:
        if "__dataclass_fields__" not in vars(defined):
            dataclass(frozen=True)(defined)  # so that its own parameters count
        enter(SUBJECTS, entry_of(defined, name))
        return defined

    return registered


def subject_of(text: str) -> StrategyEntry:
    """The subject that a text names, such as 'exponential' or 'exponential:delta=0.9,noise=0.03'."""
    return named(SUBJECTS, text)


def is_subject(text: str) -> bool:
    """Whether a text names a simulated subject, right or wrong in its parameters."""
    return text.strip().partition(":")[0] in SUBJECTS


@dataclass(frozen=True, slots=True)
class Division:
    """A number to be given, with the one that is best and, where there is one, the value of every other."""

    best: float
    worth: Callable[[float], float] | None = None
    """What an answer is worth, in parts of the larger amount; without it noise plays no part."""


def pick(entries: Sequence[Entry], values: Sequence[float], noise: float, draw: Callable[[], float]) -> Entry:
    """One of the entries: the first of the best without noise, else one by the logit rule. The draw is made only where
    it is needed."""
    top = max(values)
    if noise == 0:
        return next(entry for entry, value in zip(entries, values, strict=True) if value >= top - TIE)
    weights = [math.exp((value - top) / noise) for value in values]
    left = draw() * sum(weights)
    for entry, weight in zip(entries, weights, strict=True):
        left -= weight
        if left < 0:
            return entry
    return entries[-1]


def number(division: Division, spec: Spec, noise: float, draw: Callable[[], float]) -> float:
    """The number that answers: the best, or a noisy pick among even steps of all that is allowed."""
    if noise == 0 or division.worth is None:
        return allowed(division.best, spec)
    steps = grid(spec)
    return allowed(pick(steps, [division.worth(step) for step in steps], noise, draw), spec)


def grid(spec: Spec) -> list[float]:
    """Even steps over all numbers that a specification allows, both ends included."""
    assert isinstance(spec, Amount), "only a number has a range"
    width = spec.high - spec.low
    steps = int(width) if spec.whole and width <= 2 * STEPS else STEPS
    return [spec.low + width * step / steps for step in range(steps + 1)] if steps else [spec.low]


def allowed(value: float, spec: Spec) -> float:
    """The nearest number in full cents, or whole or in steps where it must be, within what is allowed."""
    assert isinstance(spec, Amount), "only a number can be rounded"
    if spec.whole and not isinstance(spec, Stepped):
        return min(max(math.floor(value + 0.5), math.ceil(spec.low)), math.floor(spec.high))
    if isinstance(spec, Stepped):
        return round(spec.low + spec.step * round((min(max(value, spec.low), spec.high) - spec.low) / spec.step), 9)
    near = round(value, CENTS)
    if near > spec.high:
        near = max(spec.low, math.floor(spec.high * 10**CENTS) / 10**CENTS)
    return max(near, spec.low)
