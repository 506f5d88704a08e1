"""The briefing of bargaining over several issues. Every prompt is self-contained: it has the whole course of the
bargain so far."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.market.several_issues.play import (
    DEAL,
    MOVE,
    NO_DEAL,
    TAKE,
    PastMove,
    SeveralIssuesView,
    field_of,
)
from ostrom.games.market.several_issues.rules import CHOICES, PRIORITIES
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import SEAT_FIRST, Framing
from ostrom.players.models.optional_fields import ConditionalField
from ostrom.players.models.prompting import template


class SeveralIssuesBriefing(Briefing):
    """The briefing of bargaining over several issues."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: SeveralIssuesView = question.view
        names = self.labels(question, framing, chance, 2)
        rules = view.rules
        return {
            "rules": rules,
            "names": [names[seat] for seat in framing.listed(2)],
            "opener": names[0],
            "goods": view.goods,
            "by_priority": rules.values == PRIORITIES,
            "scale": rules.scale_values,
            "draws_counts": rules.given_counts is None,
            "pool": [] if rules.given_counts is None else list(zip(rules.given_counts, view.goods, strict=True)),
            "chooses": rules.agreement == CHOICES,
            "outside": rules.outside_points,
            # In layout 2 the text is the same for both seats, so it does not say who is asked.
            "me": names[view.seat] if framing.layout == SEAT_FIRST else "",
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: SeveralIssuesView = question.view
        labels = self.labels(question, framing, chance, 2)
        return [self._move_text(view, move, framing, labels) for move in view.history]

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: SeveralIssuesView = question.view
        labels = self.labels(question, framing, chance, 2)
        deal = view.deal
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": labels[view.seat],
            "other": labels[1 - view.seat],
            "worths": list(zip(view.counts, view.goods, view.values, strict=True)),
            "whole": sum(count * value for count, value in zip(view.counts, view.values, strict=True)),
            "past_moves": self.past(question, framing, chance) if framing.layout == SEAT_FIRST else [],
            "submitter": None if deal is None else labels[deal.seat],
            "own_units": [] if deal is None else list(zip(deal.units[view.seat], view.goods, strict=True)),
            "own_worth": 0
            if deal is None
            else sum(count * value for count, value in zip(deal.units[view.seat], view.values, strict=True)),
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: SeveralIssuesView = question.view
        if question.phase != MOVE:
            act = ChoiceField("act", ((TAKE, TAKE), (NO_DEAL, NO_DEAL)))
            return (act, *_units_fields(view, TAKE))
        fields: list[AnswerField] = [ChoiceField("act", tuple((act, act) for act in view.acts))]
        if view.rules.messages:
            fields.append(TextField("text", view.rules.message_words))
        return (*fields, *(_units_fields(view, DEAL) if DEAL in view.acts else ()))

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        return dict(values)

    def _move_text(self, view: SeveralIssuesView, move: PastMove, framing: Framing, labels: Sequence[str]) -> str:
        """Return the description of a past turn."""
        own = move.units[move.seat] if move.units else ()
        context = {
            "framing": framing,
            "number": move.turn,
            "name": labels[move.seat],
            "other": labels[1 - move.seat],
            "act": move.act,
            "text": move.text,
            "words": view.rules.message_words,
            "units": list(zip(own, view.goods, strict=False)),
            "left": list(zip(move.units[1 - move.seat], view.goods, strict=True)) if move.units else [],
        }
        return template(self, framing.variant, "past_move").render(context).strip()


def _units_fields(view: SeveralIssuesView, act: str) -> tuple[AnswerField, ...]:
    return tuple(
        ConditionalField(NumberField(field_of(good), 0, count, whole=True), "act", ((act, act),))
        for good, count in zip(view.goods, view.counts, strict=True)
    )
