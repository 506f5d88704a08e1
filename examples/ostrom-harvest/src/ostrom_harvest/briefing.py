"""Harvest in words: every call stands alone, and carries all numbers of all rounds and the messages of the last few."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ostrom.core import Amount, Chance, Question
from ostrom.core.spoken import removed_at_once
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField, TextField
from ostrom.players.models.framing import SHARED_FIRST, Framing
from ostrom.players.models.prompting import template
from ostrom_harvest.view import HarvestView, PastRound


class HarvestBriefing(Briefing):
    """Harvest, told with its settings."""

    prompts = Path(__file__).parent / "prompts"
    unit = "tonnes"

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The settings, and who is at the table."""
        view: HarvestView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "names": [labels[seat] for seat in framing.listed(len(labels))],
        }

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The pool as the seat sees it now."""
        view: HarvestView = question.view
        labels = self.labels(question, framing, chance, view.seats)

        def by_seat(amounts: Sequence[float]) -> str:
            return ", ".join(f"{labels[seat]} {framing.figure(amounts[seat])}" for seat in framing.listed(len(labels)))

        def told(past: PastRound) -> Mapping[str, Any]:
            removed = view.round - 1 - view.rules.message_rounds
            if framing.layout == SHARED_FIRST:
                removed = removed_at_once(view.round - 1, view.rules.message_rounds)
            shown = past.round > removed
            return {
                "number": past.round,
                "stock": framing.figure(past.stock),
                "quota": None if past.quota is None else framing.figure(past.quota),
                "harvests": by_seat(past.harvests),
                "sanctions": [
                    (labels[seat], framing.money(past.fines[seat]) if past.fines[seat] else None)
                    for seat in framing.listed(len(labels))
                    if past.noticed[seat]
                ],
                "said": [(labels[seat], text) for seat, text in past.said if text] if shown else [],
            }

        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "stock": framing.money(view.stock),
            "quota": None if view.quota is None else framing.money(view.quota),
            "holdings": by_seat(view.holdings) if view.history else None,
            "offences": view.offences[view.seat],
            "said": [(labels[seat], text) for seat, text in view.said],
            "past_rounds": [told(past) for past in view.history],
            "words": view.rules.message_words,
        }

    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        """The rounds that are over, which all seats know."""
        context = {"framing": framing, **self.context(question, framing, chance)}
        return [template(self, framing.variant, "past").render(context).strip()]

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """A message, a quota, or a request."""
        if question.phase == "message":
            return (TextField("message", question.view.rules.message_words),)
        assert isinstance(question.spec, Amount)
        return (NumberField(question.phase, question.spec.low, question.spec.high, scale=framing.scale),)
