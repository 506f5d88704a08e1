"""The settings of an audit: which question of which game, and how it is put.

A game knows no players. Whoever plans an audit lets players play the game elsewhere, and hands over what they answered
up to the question."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core.chance import GAMES as NUMBERS
from ostrom.core.chance import SEEDS
from ostrom.core.game import Step
from ostrom.core.plugins import GAMES


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
            raise ValueError(f"the seat that is asked must be one of 0 to {self.seats - 1}")
        for name, order in (("places", self.places), ("order", self.framing.order)):
            if order is not None and sorted(order) != list(range(self.seats)):
                raise ValueError(f"{name} must hold every number from 0 to {self.seats - 1} once")
        shown, called = self.framing.options, self.framing.called
        if shown is not None and sorted(shown) != sorted(self.choices):
            raise ValueError("the options shown must be the choices, each of them once")
        if (shown is None) != (called is None) or len(set(called or ())) != len(shown or ()):
            raise ValueError("there must be a label of its own for each of the options shown, and none without them")
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
