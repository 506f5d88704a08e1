"""Subjects without preferences, which test that such subjects get no scores: their scores would be plausible numbers
without meaning."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from typing_extensions import override

from ostrom.core import Amount, Choice, Fault, Question
from ostrom.games.battery.numbers import Number, either, floor, largest, smallest
from ostrom.games.battery.subjects.base import Subject, round_allowed, subject
from ostrom.games.battery.subjects.rows import HabitRows, SilentRows
from ostrom.players.base import NoAnswer
from ostrom.players.strategy import Draw


class QuestionForm(Protocol):
    """The form of a question, without its amounts. Positions and bounds are numbers for a single question, and arrays
    for the rows of a batch."""

    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def shown_first(self) -> Number: ...
    @property
    def called_a(self) -> Number: ...
    @property
    def range(self) -> Amount: ...
    @property
    def zero(self) -> Number: ...


@dataclass(frozen=True, slots=True)
class OneForm:
    """The form of a single question. Options are represented by their positions in its specification."""

    question: Question
    zero: float = 0.0

    @property
    def options(self) -> tuple[str, ...]:
        spec = self.question.spec
        return tuple(map(str, spec.options)) if isinstance(spec, Choice) else ()

    @property
    def shown_first(self) -> int:
        return self.options.index(self.question.view.options[0])

    @property
    def called_a(self) -> int:
        """The position of the option labelled A. If options have no labels, it is the option that is shown first."""
        view = self.question.view
        labelled = dict(zip(view.labels, view.options, strict=True))
        return self.options.index(labelled.get("A", view.options[0]))

    @property
    def range(self) -> Amount:
        assert isinstance(self.question.spec, Amount), "a question without options asks for a number"
        return self.question.spec


class HabitSubject(Subject):
    """A subject whose answers depend only on the form of a question. The same methods answer single questions and
    batches."""

    @abstractmethod
    def option(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        """Return the position of an option."""

    def number(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        """Return a number within the range, by default the smallest."""
        return form.range.low

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        form = OneForm(question)
        return form.options[int(self.option(form, draw))] if form.options else self.number(form, draw)


@subject("random", rows=HabitRows)
class RandomSubject(HabitSubject):
    """Gives a random answer, with equal probability for all allowed answers. The answers do not depend on the
    question."""

    @override
    def option(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        return floor(draw() * len(form.options))

    @override
    def number(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        spec, share = form.range, draw()
        width = spec.high - spec.low
        # Each whole number is as likely as the others, including the last.
        value = either(spec.whole, floor(spec.low + share * (width + 1)), spec.low + share * width)
        return round_allowed(form.zero + value, spec)


@subject("always-a", rows=HabitRows)
class AlwaysA(HabitSubject):
    """Chooses the option that is labelled A. If a number is asked for, it gives the smallest one allowed."""

    @override
    def option(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        return form.called_a


@subject("always-first", rows=HabitRows)
class AlwaysFirst(HabitSubject):
    """Chooses the option that is shown first. If a number is asked for, it gives the smallest one allowed."""

    @override
    def option(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        return form.shown_first


@subject("constant", rows=HabitRows)
class ConstantSubject(HabitSubject):
    """Gives the same answer regardless of the amounts. Of options, it chooses the one whose name is alphabetically
    first. As a number, it gives 10, or the nearest allowed number."""

    @override
    def option(self, form: QuestionForm, draw: Callable[[], Number]) -> int:
        return form.options.index(min(form.options))

    @override
    def number(self, form: QuestionForm, draw: Callable[[], Number]) -> Number:
        return round_allowed(form.zero + smallest(largest(10.0, form.range.low), form.range.high), form.range)


@subject("refuser", rows=SilentRows, tests_faults=True)
class Refuser(Subject):
    """Declines every question."""

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        raise NoAnswer(Fault.REFUSED, "it declined to answer")


@subject("malformed", rows=SilentRows, tests_faults=True)
class MalformedSubject(Subject):
    """Never answers in the form that was asked for."""

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        raise NoAnswer(Fault.MALFORMED, "its answer has no form that was asked for")
