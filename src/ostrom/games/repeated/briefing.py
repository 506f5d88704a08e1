"""A repeated game in words: every call stands alone, and carries the matrix and all that both did, in the labels and
points that this game is told with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.repeated.play import CHOICE, RepeatedView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, TextField
from ostrom.players.models.framing import Framing

_MOST_ROUNDS: Final = 100
"""Of a longer past the last rounds are told one by one, and the earlier ones by how often each outcome came up."""


class RepeatedBriefing(Briefing):
    """A repeated game, told with its settings."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: RepeatedView = question.view
        telling, matrix, me, other = view.telling, view.rules.game, view.seat, view.other
        cells = []
        for own in telling.order[me]:
            for theirs in telling.order[other]:
                row, column = (own, theirs) if me == 0 else (theirs, own)
                points = matrix.payoffs[row][column]
                told = [framing.money(_whole(telling.points(points[seat]))) for seat in (me, other)]
                cells.append((telling.labels[me][own], telling.labels[other][theirs], *told))
        alike = set(telling.labels[me]) == set(telling.labels[other])
        return {
            "rules": view.rules,
            "story": telling.story,
            "cells": cells,
            "mine": _in_order(view, me),
            "theirs": None if alike else _in_order(view, other),
            "continuation": view.rules.continuation,
        }

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: RepeatedView = question.view
        start = max(0, len(view.history) - _MOST_ROUNDS)
        rounds = [self._round(view, number, framing) for number in range(start + 1, len(view.history) + 1)]
        played = len(view.history)
        totals = [
            framing.money(_whole(view.telling.points(view.totals[seat], played))) for seat in (view.seat, view.other)
        ]
        return {
            "rules": view.rules,
            "story": view.telling.story,
            "earlier": _earlier(view, start),
            "past_rounds": rounds,
            "totals": totals if played and view.rules.points else None,
            "said": [(seat == view.seat, text) for seat, text in enumerate(view.said)],
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: RepeatedView = question.view
        if question.phase != CHOICE:
            return (TextField("message", view.rules.message_words),)
        telling = view.telling
        return (ChoiceField(CHOICE, tuple((telling.labels[view.seat][one], one) for one in telling.order[view.seat])),)

    def _round(self, view: RepeatedView, number: int, framing: Framing) -> Mapping[str, Any]:
        past, seats = view.history[number - 1], (view.seat, view.other)
        recent = view.round - number <= view.rules.message_rounds
        return {
            "number": number,
            "actions": [view.telling.labels[seat][past.actions[seat]] for seat in seats],
            "points": [framing.figure(_whole(view.telling.points(past.points[seat]))) for seat in seats],
            "said": [(seat == view.seat, text) for seat, text in enumerate(past.said) if text] if recent else [],
        }


def _in_order(view: RepeatedView, seat: int) -> list[str]:
    return [view.telling.labels[seat][action] for action in view.telling.order[seat]]


def _earlier(view: RepeatedView, count: int) -> Mapping[str, Any] | None:
    """The first rounds of a long past, by how often each outcome came up."""
    if count == 0:
        return None
    seen: dict[tuple[str, str], int] = {}
    for past in view.history[:count]:
        own, other = (view.telling.labels[seat][past.actions[seat]] for seat in (view.seat, view.other))
        seen[own, other] = seen.get((own, other), 0) + 1
    return {"last": count, "outcomes": [(*labels, times) for labels, times in sorted(seen.items())]}


def _whole(points: float) -> int | float:
    return int(points) if points == int(points) else points
