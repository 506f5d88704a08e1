"""What a briefing is: the part of a game that has to be put into words. It gives the templates their variables, says
which fields an answer has, and turns them into the plain data that the question's specification validates. It knows no
model and no network."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from ostrom.core import Answer, Chance, InputError, Question, Seat
from ostrom.core.plugins import GAMES
from ostrom.players.models.fields import Field
from ostrom.players.models.framing import Framing


class Briefing(ABC):
    """One game in words, of which each call stands alone. Stateless: everything is a function of the question, the
    framing and the game's chance."""

    prompts: ClassVar[Path]
    """The folder of the game's templates: `<wording>/rules.j2`, and one for each phase beside it."""
    folder: ClassVar[str] = "."
    """Where in it the wordings lie, for games that share templates."""

    @abstractmethod
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The variables of the question's template, `<phase>.j2`, besides `framing`, `turn`, `phase` and
        `past`."""

    @abstractmethod
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[Field]:
        """The fields of the answer, in the order in which they are asked for."""

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The variables of `rules.j2`, besides `framing`. Rendered once for a seat and game, at its first question: it
        must hold nothing that changes in the course of the game."""
        return {}

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """The raw answer out of the fields' values, in the game's units. By default the one field's value, or all of
        them by name; a field called `reasoning` is never part of it."""
        return next(iter(values.values())) if len(values) == 1 else dict(values)

    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        """What each seat is called, by index."""
        return framing.seats_called([Seat(index).label for index in range(count)])


class ConversationalBriefing(Briefing):
    """A game in which a model is asked within one conversation from beginning to end."""

    @abstractmethod
    def figures(self, question: Question, answer: Answer | None) -> Mapping[str, Any]:
        """A turn in numbers, with what was decided where it is."""

    @abstractmethod
    def summary(self, rows: Sequence[Mapping[str, Any]], now: Mapping[str, Any], framing: Framing) -> str:
        """The figures of past turns on one line. It takes the place of the oldest turns of a conversation that has
        grown too long. `now` are the figures of the turn after them, as far as they are known."""

    @abstractmethod
    def decided(self, question: Question, answer: Answer, framing: Framing, chance: Chance) -> str:
        """What was entered for a seat that gave no legal answer, as the end of a sentence: 'contribution 0'."""


@cache
def briefing_of(game: str) -> Briefing:
    """The briefing of a game, by its name in records."""
    made = GAMES[game].part("briefing")
    if made is None:
        known = ", ".join(sorted(each.name for each in GAMES.values() if each.briefing is not None))
        raise InputError(f"models cannot play {game}; they can play {known}")
    briefing: Briefing = made()
    return briefing
