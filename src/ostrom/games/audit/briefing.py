"""The prompts of an audit: the question of another game in that game's words, in the audit's framing."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.audit import AuditView
from ostrom.players.models.briefing import Briefing, briefing_of
from ostrom.players.models.fields import AnswerField
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text


class AuditBriefing(Briefing):
    """Delegates to the briefing of the question's own game, with the audit's framing instead of the player's."""

    prompts = Path(__file__).parent / "prompts"

    @override
    def template(self, question: Question) -> str:
        return "question"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        inner, inner_question, inner_framing = _unwrap(question)
        return {"text": rules_text(inner, inner_question, inner_framing, chance)}

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        inner, inner_question, inner_framing = _unwrap(question)
        return {"text": question_text(inner, inner_question, inner_framing, chance)}

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        inner, inner_question, inner_framing = _unwrap(question)
        return inner.form(inner_question, inner_framing, chance)

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        inner, inner_question, _ = _unwrap(question)
        return inner.decode(inner_question, values)


def _unwrap(question: Question) -> tuple[Briefing, Question, Framing]:
    view: AuditView = question.view
    chosen = view.framing
    framing = Framing(chosen.variant, chosen.unit, chosen.scale, chosen.labels, chosen.order)
    return briefing_of(view.game), view.question, framing
