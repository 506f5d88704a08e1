"""The prompts of a question about people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.forecasting import MOST_PERCENT, ForecastingView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField
from ostrom.players.models.framing import Framing


class ForecastingBriefing(Briefing):
    """Describes the people and their decision. The study and its data are never shown."""

    prompts = Path(__file__).parent / "prompts"
    folder = "share"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: ForecastingView = question.view
        return {"people": view.rules.people}

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: ForecastingView = question.view
        return {"decision": view.rules.decision, "action": view.rules.action}

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        return [NumberField("percent", 0, MOST_PERCENT)]
