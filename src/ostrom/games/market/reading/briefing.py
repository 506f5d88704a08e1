"""The prompts of a reading for cartel talk."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.market.reading.play import KINDS, NO, YES, SideView, quote_of
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, TextField
from ostrom.players.models.framing import Framing

MAX_LINE_WORDS: Final = 300
"""The largest number of words of a message that a judge reads. Longer messages are shortened."""


class CartelTalkBriefing(Briefing):
    """Shows a judge the labels of seats, rounds and the messages of one side."""

    prompts = Path(__file__).parent / "prompts"
    folder = "cartels"

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: SideView = question.view
        return {"side": view.side, "lines": view.lines, "most_words": MAX_LINE_WORDS}

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: SideView = question.view
        answer = ((YES, YES), (NO, NO))
        fields: list[AnswerField] = []
        for kind in KINDS:
            fields += [ChoiceField(kind, answer), TextField(quote_of(kind), view.rules.quote_words)]
        return fields
