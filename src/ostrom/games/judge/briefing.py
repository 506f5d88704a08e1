"""The prompts of judges."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.judge.promises import ALL, MOST_TOKENS, PromisesView
from ostrom.games.judge.quotes import QuotesView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField, RecordsField, TextField
from ostrom.players.models.framing import Framing

MOST_WORDS = 300
"""The largest number of words of a line that a judge reads. Longer lines are shortened."""
NONE = "none"
"""A judge's answer for a line without a promise."""
_NUMBER = re.compile(r"[0-9]{1,12}")


class QuotesBriefing(Briefing):
    """Shows a judge labels, rounds and lines. The source of the lines and the players are never shown."""

    prompts = Path(__file__).parent / "prompts"
    folder = "quotes"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: QuotesView = question.view
        return {"picks": view.rules.picks, "best": view.rules.best}

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: QuotesView = question.view
        return {
            "lines": view.lines,
            "most_words": MOST_WORDS,
            "picks": view.picks,
            "best": view.rules.best,
            "portions": view.portions,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: QuotesView = question.view
        pick: tuple[AnswerField, ...] = (
            NumberField("line", view.lines[0].number, view.lines[-1].number, whole=True),
            NumberField("rating", 0, view.rules.best, whole=True),
            TextField("reason", view.rules.reason_words),
        )
        return [RecordsField("picks", pick, view.picks, distinct="line")]


@dataclass(frozen=True, slots=True)
class PromiseField(AnswerField):
    """The field for the promise that a judge finds in one line: a number of tokens, all, or none."""

    name: str

    @override
    def describe(self) -> str:
        return f"a whole number from 0 to {MOST_TOKENS}, or {ALL}, or {NONE}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        number = {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS}
        return {self.name: {"anyOf": [number, {"type": "string", "enum": [ALL, NONE]}]}}

    @override
    def from_tag(self, text: str) -> Any:
        word = text.strip().casefold()
        if word in (NONE, ALL):
            return None if word == NONE else ALL
        if not _NUMBER.fullmatch(word):
            raise self.malformed(text.strip(), "not of the form")
        if int(word) > MOST_TOKENS:
            raise self.illegal(word)
        return int(word)

    def from_json(self, values: Mapping[str, Any]) -> Any:
        """Return the word or the number in the judge's JSON answer. Digits in quotation marks count as a number."""
        raw = values[self.name]
        if isinstance(raw, float) and raw.is_integer():
            raw = int(raw)
        if isinstance(raw, bool) or not isinstance(raw, str | int):
            raise self.malformed(raw, "not of the form")
        return self.from_tag(str(raw))


class PromisesBriefing(Briefing):
    """Shows a judge the labels and lines of one round. The source of the lines, the players and later events are never
    shown."""

    prompts = Path(__file__).parent / "prompts"
    folder = "promises"

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: PromisesView = question.view
        return {"lines": view.lines, "round": view.round, "most_words": MOST_WORDS}

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """Return a form with a field for each line. If the verdict on a line is missing, the field is missing, and the
        judge is asked again."""
        view: PromisesView = question.view
        return [PromiseField(f"line_{line.number}") for line in view.lines]

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        view: PromisesView = question.view
        return [{"line": line.number, "promise": values[f"line_{line.number}"]} for line in view.lines]
