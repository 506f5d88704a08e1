"""What a simulated subject is: a theory with parameters, and noise. A subject answers every item of every task and
plays every role; which of them its theory is about, and what it does elsewhere, stands in its docstring."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ostrom.core import Question, Registry
from ostrom.players.strategy import Strategy, StrategyEntry, enter, entry_of, named

SUBJECT = "subject"
"""The purpose of a subject's draws."""


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
