"""The prompts of a request for a strategy."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.writing import MAX_PLAN_WORDS, MAX_WORDS, NONE, WritingView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, TextField
from ostrom.players.models.framing import Framing
from ostrom.players.written import IMPORTABLE


class WritingBriefing(Briefing):
    """Describes the other game by its own prompt, and earlier attempts by their code and outcome."""

    prompts = Path(__file__).parent / "prompts"
    folder = "strategy"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        rules = question.view.rules
        return {"description": rules.description, "example": rules.example, "modules": IMPORTABLE}

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: WritingView = question.view
        return {"attempts": view.rules.attempts, "attempt": view.attempt, "known": view.rules.known}

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        names = [*question.view.rules.known, NONE]
        return [
            TextField("plan", MAX_PLAN_WORDS),
            ChoiceField("like", tuple((name, name) for name in names)),
            TextField("code", MAX_WORDS),
        ]
