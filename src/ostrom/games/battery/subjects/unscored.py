"""Subjects without preferences. Any score that they get would be a plausible number about nobody: they are here so that
it can be checked that they get none."""

import math

from ostrom.core import Amount, Choice, Fault, Question, Spec
from ostrom.games.battery.subjects.base import Subject, allowed, subject
from ostrom.games.battery.subjects.rows import AlwaysARows, AlwaysFirstRows, ConstantRows, RandomRows, SilentRows
from ostrom.players.base import NoAnswer
from ostrom.players.strategy import Draw


@subject("random", rows=RandomRows)
class Random(Subject):
    """Answers anything that is allowed, all with equal chance. The answers do not depend on the question."""

    def answer(self, question: Question, draw: Draw) -> object:
        """One of the options, or a number between the bounds."""
        if isinstance(question.spec, Choice):
            return question.spec.options[int(draw() * len(question.spec.options))]
        low, high = _range(question.spec)
        if isinstance(question.spec, Amount) and question.spec.whole:
            # Each whole number is as likely as the others, the last one too.
            return allowed(math.floor(low + draw() * (high - low + 1)), question.spec)
        return allowed(low + draw() * (high - low), question.spec)


@subject("always-a", rows=AlwaysARows)
class AlwaysA(Subject):
    """Chooses whatever is labelled A. Of numbers it gives the least."""

    def answer(self, question: Question, draw: Draw) -> object:
        """The option with the first letter; where there are no labels, the first."""
        view = question.view
        if view.options:
            return dict(zip(view.labels, view.options, strict=True)).get("A", view.options[0])
        return _range(question.spec)[0]


@subject("always-first", rows=AlwaysFirstRows)
class AlwaysFirst(Subject):
    """Chooses whatever is shown first. Of numbers it gives the least."""

    def answer(self, question: Question, draw: Draw) -> object:
        """The option at the first place."""
        return question.view.options[0] if question.view.options else _range(question.spec)[0]


@subject("constant", rows=ConstantRows)
class Constant(Subject):
    """Gives the same answer whatever the amounts: of options the one whose name comes first, of numbers 10. Where 10 is
    not allowed, the nearest number that is."""

    def answer(self, question: Question, draw: Draw) -> object:
        """Always the same."""
        if question.view.options:
            return min(question.view.options)
        low, high = _range(question.spec)
        return allowed(min(max(10.0, low), high), question.spec)


@subject("refuser", rows=SilentRows)
class Refuser(Subject):
    """Declines every question."""

    def answer(self, question: Question, draw: Draw) -> object:
        """None."""
        raise NoAnswer(Fault.REFUSED, "it declined to answer")


@subject("malformed", rows=SilentRows)
class Malformed(Subject):
    """Never answers in the form that was asked for."""

    def answer(self, question: Question, draw: Draw) -> object:
        """None that can be read."""
        raise NoAnswer(Fault.MALFORMED, "its answer has no form that was asked for")


def _range(spec: Spec) -> tuple[float, float]:
    assert isinstance(spec, Amount), "what is no choice is a number"
    return spec.low, spec.high
