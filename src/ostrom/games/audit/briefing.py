"""An audit in words: the question of another game, in that game's own words, put as the audit's framing says."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ostrom.core import Chance, Question
from ostrom.games.audit import AuditView
from ostrom.players.models.briefing import Briefing, briefing_of
from ostrom.players.models.fields import AnswerField
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text


class AuditBriefing(Briefing):
    """Hands everything on to the briefing of the game that the question comes from. How the question is put is the
    audit's affair, so the framing that it is handed is passed over."""

    prompts = Path(__file__).parent / "prompts"

    def template(self, question: Question) -> str:
        """One for every question of every game."""
        return "question"

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The rules of the other game, in words."""
        inner, asked, put = _unwrapped(question)
        return {"text": rules_text(inner, asked, put, chance)}

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The other game's question, in words."""
        inner, asked, put = _unwrapped(question)
        return {"text": question_text(inner, asked, put, chance)}

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """The fields of the other game's answer, in the units and names of the audit."""
        inner, asked, put = _unwrapped(question)
        return inner.form(asked, put, chance)

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """As the other game reads it."""
        inner, asked, _ = _unwrapped(question)
        return inner.decode(asked, values)


def _unwrapped(question: Question) -> tuple[Briefing, Question, Framing]:
    view: AuditView = question.view
    put = view.framing
    framing = Framing(put.variant, put.unit, put.scale, put.labels, put.order)
    return briefing_of(view.game), view.question, framing
