"""One question of an audit: its settings, the view of the seat that is asked, and the event of its answer.

A game knows no players. Whoever plans an audit lets players play the game elsewhere, and hands over what they answered
up to the question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core import Event, EventRegistry, Question
from ostrom.core.chance import GAMES as NUMBERS
from ostrom.core.chance import SEEDS
from ostrom.core.effects import Telling, sentence
from ostrom.core.game import Step
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.telling import simple


class Framing(BaseModel):
    """How the question is put. None of it changes what is at stake."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    variant: str = "plain"
    """The wording of the prompt."""
    unit: str = "tokens"
    """What amounts are called."""
    scale: int = Field(1, ge=1, le=1_000_000)
    """What amounts are multiplied by where they are shown."""
    labels: tuple[str, ...] | None = None
    """What each seat is called; the game's own way where none are given."""
    order: tuple[int, ...] | None = None
    """In which order seats are listed; by their numbers where none is given."""
    options: tuple[str, ...] | None = None
    """Where the question is an item of the battery: what can be chosen, in the order shown; as the task has it where
    none is given."""
    called: tuple[str, ...] | None = None
    """Under which label each of `options` is shown."""


class AuditRules(BaseModel):
    """One question and one way to put it. Seats are numbered as the situation was played, except in the framing, whose
    seats are those at which they sit in the audit."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    game: str = "contribute_punish"
    """The game that the question comes from, by its name in records."""
    rules: dict[str, Any] = Field(default_factory=lambda: {"messages": False})
    """That game's settings."""
    seats: int = Field(4, ge=1)
    """How many sit at that game's table."""
    seed: int = Field(0, ge=0, lt=SEEDS)
    """The seed of the game that the question comes from."""
    number: int = Field(0, ge=0, lt=NUMBERS)
    """That game's number under the seed."""
    answers: tuple[Step, ...] = ()
    """What everybody answered before the question."""
    turn: int = Field(1, ge=1)
    """The turn of the question."""
    phase: str = "contribution"
    """The phase of the question."""
    seat: int = Field(0, ge=0)
    """Whose question it is."""
    choices: tuple[str, ...] = ()
    """What can be chosen in an item of the battery, however it is shown: to choose the first of them is 1, any other 0.
    Empty where a number is asked, and at the tables of other games."""
    places: tuple[int, ...] | None = None
    """Where everybody sits instead: the seat with number i of the situation takes the seat places[i]."""
    framing: Framing = Framing()
    """How the question is put."""
    situation: int = Field(0, ge=0)
    """The situation's number within its audit; questions of one situation differ in nothing but how they are put."""
    cell: int = Field(0, ge=0)
    """The number of this way to put the question, within the situation."""
    repeat: int = Field(0, ge=0)
    """How often the same was asked before."""
    levels: dict[str, str] = Field(default_factory=dict)
    """What was varied, in words: the level of each factor."""

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        if self.game not in GAMES or self.game == "audit":
            known = ", ".join(name for name in GAMES if name != "audit")
            raise ValueError(f"an audit asks a question of one of the games {known}")
        GAMES[self.game].rules(**self.rules)
        if self.seat >= self.seats:
            raise ValueError(f"the seat that is asked must be from 0 to {self.seats - 1}")
        for name, order in (("places", self.places), ("order", self.framing.order)):
            if order is not None and sorted(order) != list(range(self.seats)):
                raise ValueError(f"{name} must contain every number from 0 to {self.seats - 1} once")
        shown, called = self.framing.options, self.framing.called
        if shown is not None and sorted(shown) != sorted(self.choices):
            raise ValueError("the options shown must be the choices, each once")
        if (shown is None) != (called is None) or len(set(called or ())) != len(shown or ()):
            raise ValueError("there must be a different label for each option shown, and none if no options are shown")
        labels = self.framing.labels
        if labels is not None and (len(labels) != self.seats or len(set(labels)) < len(labels)):
            raise ValueError(f"labels must be {self.seats} different names, one for each seat")
        return self

    @property
    def seating(self) -> tuple[int, ...]:
        """Where each seat of the situation sits in the audit."""
        return self.places or tuple(range(self.seats))

    @property
    def asked(self) -> int:
        """The seat, in the audit, that is asked."""
        return self.seating[self.seat]


EVENTS = EventRegistry()


@EVENTS.register
class Decided(Event, tag="decided"):
    """The question was answered."""

    game: str
    turn: int
    phase: str
    label: str
    """What the seat that was asked was called."""
    aspects: dict[str, float]
    """Every part of the decision from 0 to 1, the leading one first."""
    raw: Any
    """The answer in the game's own terms; the seats that it names are those of the audit."""
    levels: dict[str, str]
    """How the question was put: the level of each factor."""


@dataclass(frozen=True)
class AuditView:
    """A question within its framing."""

    game: str
    """The game that the question comes from, by its name in records."""
    question: Question
    """The question as that game asks it."""
    framing: Framing

    @property
    def label(self) -> str:
        """What the seat that is asked is called."""
        labels = self.framing.labels
        return str(self.question.seat) if labels is None else labels[self.question.seat.index]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        inner = self.question.view
        return {
            "game": self.game,
            "turn": self.question.turn,
            "phase": self.question.phase,
            "seat": self.question.seat.index,
            "view": inner.as_record() if hasattr(inner, "as_record") else None,
            "framing": self.framing.model_dump(mode="json"),
        }


def tell(event: Event) -> Telling:
    """The question as it was put, and its answer."""
    if not isinstance(event, Decided):
        raise TypeError(f"not an event of an audit: {event!r}")
    asked = sentence(f"{event.game}, turn {event.turn}: ", 0, f" is asked for its {event.phase} as {event.label}")
    levels = [sentence(f"  {factor}: {level}") for factor, level in event.levels.items()]
    parts = [f"{name} {value:.0%} of the way" for name, value in event.aspects.items()]
    said = "  gives no valid answer"
    if event.raw is not None:
        said = f"  answers {_said(event.raw)}" + (f": {', '.join(parts)}" if parts else "")
    return Telling(text=(asked, *levels, sentence(said)))


PRESENTATION = simple(Scene(layout="question", title="Audit", opens="end"), tell)


def _said(raw: Any) -> str:
    if isinstance(raw, dict):
        return ", ".join(f"{name} {'nobody' if part is None else part}" for name, part in raw.items())
    return str(raw)
