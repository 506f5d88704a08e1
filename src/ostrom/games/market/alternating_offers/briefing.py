"""The briefing of alternating offers. Every prompt is self-contained: it has all past offers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.core.spoken import removed_at_once
from ostrom.games.market.alternating_offers.play import (
    MESSAGE,
    OFFER,
    RESPONSES,
    AlternatingOffersView,
    OfferMessage,
    PastOffer,
)
from ostrom.games.market.alternating_offers.rules import OPEN
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import SEAT_FIRST, SHARED_FIRST, Framing
from ostrom.players.models.prompting import template


class AlternatingOffersBriefing(Briefing):
    """The briefing of alternating offers."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: AlternatingOffersView = question.view
        rules = view.rules
        names = self.labels(question, framing, chance, 2)
        first, second = rules.deltas
        return {
            "rules": rules,
            "names": names,
            "deltas": (first, second),
            "patient": first == second == 1,
            "options": rules.largest_outside,
            "open": rules.horizon == OPEN,
            "number": "a whole number" if rules.tick and framing.scale == 1 else "a number",
            # In layout 2 the text is the same for both seats, so it does not say who is asked.
            "me": names[view.seat] if framing.layout == SEAT_FIRST else "",
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: AlternatingOffersView = question.view
        names = self.labels(question, framing, chance, 2)
        texts = [self._round_text(view, past, past.round, framing, names) for past in view.history]
        if any(message.round == view.round for message in view.messages):
            texts.append(self._round_text(view, None, view.round, framing, names))
        return texts

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: AlternatingOffersView = question.view
        names = self.labels(question, framing, chance, 2)
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": names[view.seat],
            "other": names[1 - view.seat],
            "past_rounds": self.past(question, framing, chance) if framing.layout == SEAT_FIRST else [],
            "rest": None if view.offer is None else view.rules.pie - view.offer,
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: AlternatingOffersView = question.view
        rules = view.rules
        if question.phase == MESSAGE:
            return (TextField(MESSAGE, rules.message_words),)
        if question.phase == OFFER:
            return (NumberField(OFFER, 0, rules.pie, whole=rules.tick == 1, scale=framing.scale),)
        # The order of the words is that of the sentence in the prompt.
        words = ("accept", "reject", "quit") if rules.quits else ("accept", "reject")
        assert set(words) <= set(RESPONSES)
        return (ChoiceField(question.phase, tuple((word, word) for word in words)),)

    def _round_text(
        self,
        view: AlternatingOffersView,
        past: PastOffer | None,
        number: int,
        framing: Framing,
        names: Sequence[str],
    ) -> str:
        """Return the description of a round. `past` is None for the present round."""
        rounds, window = view.round - 1, view.rules.message_rounds
        removed = removed_at_once(rounds, window) if framing.layout == SHARED_FIRST else rounds - window
        proposer = (number - 1) % 2
        said: list[OfferMessage] = [message for message in view.messages if message.round == number > removed]
        context = {
            "framing": framing,
            "number": number,
            "proposer": names[proposer],
            "responder": names[1 - proposer],
            "messages": [message.text for message in said],
            "words": view.rules.message_words,
            "offer": None if past is None else past.amount,
            "rest": None if past is None else view.rules.pie - past.amount,
        }
        return template(self, framing.variant, "round").render(context).strip()
