"""Quotes in words: lines to read, and a list of picks to give back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ostrom.games.quotes import QuotesView
from ostrom.players.llm.briefings.base import Briefing
from ostrom.players.llm.fields import Field, NumberField, TextField
from ostrom.players.llm.framing import Framing
from ostrom.players.llm.records import RecordsField
from ostrom.table import Chance, IllegalAnswer, Question

MOST_WORDS = 300
"""Words of a single line that a judge is shown."""


@dataclass(frozen=True, slots=True)
class PicksField(RecordsField):
    """A list of picks in which no line stands twice."""

    def describe(self) -> str:
        """What would be right."""
        return f"{RecordsField.describe(self)}; no line twice"

    def from_tag(self, text: str) -> list[dict[str, Any]]:
        """The JSON list between the tags."""
        return self._told_apart(RecordsField.from_tag(self, text))

    def from_json(self, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The property's list."""
        return self._told_apart(RecordsField.from_json(self, found))

    def _told_apart(self, picks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        numbers = [pick["line"] for pick in picks]
        for number in numbers:
            if numbers.count(number) > 1:
                raise IllegalAnswer(f"{self.name}: line {number} is there twice; it must be {self.describe()}")
        return picks


class QuotesBriefing(Briefing):
    """A judge is told labels, rounds and lines; never where the lines are from, or who spoke."""

    game: ClassVar[str] = "quotes"

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """What holds for every portion."""
        view: QuotesView = question.view
        return {"picks": view.rules.picks, "best": view.rules.best}

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The portion."""
        view: QuotesView = question.view
        return {
            "lines": view.lines,
            "most_words": MOST_WORDS,
            "picks": view.picks,
            "best": view.rules.best,
            "portions": view.portions,
        }

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[Field]:
        """One list of picks."""
        view: QuotesView = question.view
        pick: tuple[Field, ...] = (
            NumberField("line", view.lines[0].number, view.lines[-1].number, whole=True),
            NumberField("rating", 0, view.rules.best, whole=True),
            TextField("reason", view.rules.reason_words),
        )
        return [PicksField("picks", pick, view.picks)]
