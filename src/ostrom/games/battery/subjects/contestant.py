"""Simulated subjects at a table, by a name that says all about them: `exponential`, or
`exponential:delta=0.9,noise=0.03`."""

import difflib
import math
from dataclasses import dataclass
from functools import partial

from ostrom.core import Chance, InputError, Question, Seat
from ostrom.games.battery.subjects.base import SUBJECTS, Parameter, Subject
from ostrom.players.base import Player

SUBJECT = "subject"
"""The purpose of a subject's draws."""


@dataclass(frozen=True)
class SubjectContestant:
    """A simulated subject, ready to sit down."""

    name: str
    subject: Subject

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """A new player for one seat of one game."""
        return SubjectPlayer(self.subject, seat, chance)


@dataclass(frozen=True)
class SubjectPlayer:
    """A simulated subject in a single game. It keeps nothing in mind from one question to the next."""

    subject: Subject
    seat: Seat
    chance: Chance

    def answer(self, question: Question) -> object:
        """By its theory."""
        return self.subject.answer(question, partial(self.chance.uniform, SUBJECT, question.turn, self.seat.index))


def subject_of(text: str) -> SubjectContestant:
    """The subject that a text names, such as 'exponential' or 'exponential:delta=0.9,noise=0.03'. Its own name lists
    what was set, in the order of the theory's parameters."""
    name, colon, rest = text.strip().partition(":")
    theory = SUBJECTS[name]
    known = {each.name: each for each in theory.parameters()}
    if colon and not known:
        raise InputError(f"{text!r}: {name} has no parameters; write it as {name}")
    given: dict[str, float] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(f"{text!r}: {part!r} is not a setting; write it as in {_example(name, known)}")
        if key not in known:
            raise InputError(f"{text!r}: {name} has no parameter {key!r}; {_nearest(key, known)}")
        if key in given:
            raise InputError(f"{text!r}: {key} is set twice; once is enough")
        given[key] = _number(text, known[key], value)
    said = ",".join(f"{key}={given[key]:.12g}" for key in known if key in given)
    return SubjectContestant(f"{name}:{said}" if said else name, theory(**given))


def is_subject(text: str) -> bool:
    """Whether a text names a simulated subject, right or wrong in its parameters."""
    return text.strip().partition(":")[0] in SUBJECTS


def _number(text: str, parameter: Parameter, value: str) -> float:
    right = f"{parameter.name} must be a number from {parameter.low:g} to {parameter.high:g}"
    try:
        number = float(value)
    except ValueError:
        raise InputError(f"{text!r}: {value!r} is not a number; {right}") from None
    if not math.isfinite(number) or not parameter.low <= number <= parameter.high:
        raise InputError(f"{text!r}: {value} is out of range; {right}")
    return number


def _nearest(key: str, known: dict[str, Parameter]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"it has {' and '.join(known)}"


def _example(name: str, known: dict[str, Parameter]) -> str:
    first = next(iter(known.values()))
    return f"{name}:{first.name}={first.default:g}"
