"""What a simulated subject is: a theory with parameters, and noise. A subject answers every item of every task and
plays every role; which of them its theory is about, and what it does elsewhere, stands in its docstring."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any

from ostrom.core import Question, Registry

Draw = Callable[[], float]
"""A number in [0, 1); the same each time it is called for one question."""


def parameter(default: float, low: float, high: float, meaning: str) -> Any:
    """A parameter of a theory, with its default, its range and what it means."""
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Parameter:
    """What can be set about a subject."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Subject(ABC):
    """A simulated subject. The first sentence of its docstring says what it is."""

    @abstractmethod
    def answer(self, question: Question, draw: Draw) -> object:
        """Answer an item or play a role; raises `NoAnswer` where the subject gives none."""

    @classmethod
    def summary(cls) -> str:
        """What it is, in a sentence."""
        return " ".join((cls.__doc__ or "").split()).split(". ")[0].rstrip(".")

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """What can be set about it; the noise, which many theories share, comes last."""
        found = (_parameter(entry) for entry in fields(cls) if entry.metadata)
        return tuple(sorted(found, key=lambda each: each.name == "noise"))


def _parameter(entry: "Field[Any]") -> Parameter:
    default: Any = entry.default
    return Parameter(entry.name, default, **entry.metadata)


SUBJECTS: Registry[type[Subject]] = Registry("subject")
"""All simulated subjects by name."""
