"""What a judge is told."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ostrom.core import Chance, Question
from ostrom.games.judge.promises import ALL, MOST_TOKENS, PromisesView
from ostrom.games.judge.quotes import QuotesView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField, RecordsField, TextField
from ostrom.players.models.framing import Framing

MOST_WORDS = 300
"""Words of a single line that a judge is shown."""
NONE = "none"
"""What a judge says of a line that promises nothing."""
_NUMBER = re.compile(r"[0-9]{1,12}")


class QuotesBriefing(Briefing):
    """A judge is told labels, rounds and lines; never where the lines are from, or who spoke."""

    prompts = Path(__file__).parent / "prompts"
    folder = "quotes"

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

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """One list of picks."""
        view: QuotesView = question.view
        pick: tuple[AnswerField, ...] = (
            NumberField("line", view.lines[0].number, view.lines[-1].number, whole=True),
            NumberField("rating", 0, view.rules.best, whole=True),
            TextField("reason", view.rules.reason_words),
        )
        return [RecordsField("picks", pick, view.picks, distinct="line")]


@dataclass(frozen=True, slots=True)
class PromiseField(AnswerField):
    """What one line promises: a number of tokens, all, or none."""

    name: str

    def describe(self) -> str:
        """What would be right."""
        return f"a whole number from 0 to {MOST_TOKENS}, or {ALL}, or {NONE}"

    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """One word out of two, or a number."""
        number = {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS}
        return {self.name: {"anyOf": [number, {"type": "string", "enum": [ALL, NONE]}]}}

    def from_tag(self, text: str) -> Any:
        """The word or the number between the tags."""
        word = text.strip().casefold()
        if word in (NONE, ALL):
            return None if word == NONE else ALL
        if not _NUMBER.fullmatch(word):
            raise self.malformed(text.strip(), "not of the form")
        if int(word) > MOST_TOKENS:
            raise self.illegal(word)
        return int(word)

    def from_json(self, found: Mapping[str, Any]) -> Any:
        """The property's word or number; digits in quotation marks are read as the number that they are."""
        raw = found[self.name]
        if isinstance(raw, float) and raw.is_integer():
            raw = int(raw)
        if isinstance(raw, bool) or not isinstance(raw, str | int):
            raise self.malformed(raw, "not of the form")
        return self.from_tag(str(raw))


class PromisesBriefing(Briefing):
    """A judge is told labels and lines of one round; never where they are from, who spoke, or what followed."""

    prompts = Path(__file__).parent / "prompts"
    folder = "promises"

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The lines."""
        view: PromisesView = question.view
        return {"lines": view.lines, "round": view.round, "most_words": MOST_WORDS}

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """A field for each line: none can be forgotten without being asked for again."""
        view: PromisesView = question.view
        return [PromiseField(f"line_{line.number}") for line in view.lines]

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """The verdicts, line by line."""
        view: PromisesView = question.view
        return [{"line": line.number, "promise": values[f"line_{line.number}"]} for line in view.lines]
