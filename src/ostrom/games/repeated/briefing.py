"""The briefing of a repeated game. Every prompt is self-contained: it has the matrix and all past actions. Labels and
points are those of the game's presentation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.core.spoken import removed_at_once
from ostrom.games.repeated.play import CHOICE, PairRound, RepeatedView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, TextField
from ostrom.players.models.framing import SEAT_FIRST, SHARED_FIRST, Framing
from ostrom.players.models.prompting import template

_MAX_LISTED_ROUNDS: Final = 100
"""The largest number of past rounds that are listed one by one. For earlier rounds, the prompt gives the number of
times that each outcome occurred."""


class RepeatedBriefing(Briefing):
    """The briefing of a repeated game."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: RepeatedView = question.view
        telling, me = view.telling, view.seat if framing.layout == SEAT_FIRST else 0
        other = 1 - me
        cells = []
        for own in telling.order[me]:
            for theirs in telling.order[other]:
                row, column = (own, theirs) if me == 0 else (theirs, own)
                points = view.rules.game.payoffs[row][column]
                amounts = [framing.money(_whole(telling.points(points[seat]))) for seat in (me, other)]
                cells.append((telling.labels[me][own], telling.labels[other][theirs], *amounts))
        alike = set(telling.labels[me]) == set(telling.labels[other])
        return {
            "rules": view.rules,
            "names": self.labels(question, framing, chance, 2),
            "story": telling.story,
            "cells": cells,
            "mine": _in_order(view, me),
            "theirs": None if alike else _in_order(view, other),
            "continuation": view.rules.continuation,
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: RepeatedView = question.view
        # Counted rounds are added many at a time. So the text before the listed rounds stays the same for many rounds.
        folds = len(view.history) // _MAX_LISTED_ROUNDS - 1
        context = {
            **self.rules_context(question, framing, chance),
            **self._situation(replace(view, seat=0), framing, max(0, folds) * _MAX_LISTED_ROUNDS),
            "framing": framing,
        }
        # A disguise is drawn for each game. So it cannot be part of the rules, which are the same for all games.
        names = ("setting", "past") if view.rules.disguise else ("past",)
        return [template(self, framing.variant, name).render(context).strip() for name in names]

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: RepeatedView = question.view
        start = max(0, len(view.history) - _MAX_LISTED_ROUNDS)
        labels = self.labels(question, framing, chance, 2)
        return {**self._situation(view, framing, start), "names": labels, "me": labels[view.seat]}

    def _situation(self, view: RepeatedView, framing: Framing, start: int) -> dict[str, Any]:
        rounds = [self._round(view, number, framing) for number in range(start + 1, len(view.history) + 1)]
        played = len(view.history)
        if framing.layout == SHARED_FIRST:
            said = [(seat == 0, text) for seat, text in _in_order_of_writing(view) if text]
            rounds.append({"number": view.round, "actions": None, "said": said})
        totals = [
            framing.money(_whole(view.telling.points(view.totals[seat], played))) for seat in (view.seat, view.other)
        ]
        return {
            "rules": view.rules,
            "story": view.telling.story,
            "earlier": _earlier(view, start),
            "past_rounds": rounds,
            "totals": totals if played and view.rules.points else None,
            "said": [(seat == view.seat, text) for seat, text in _in_order_of_writing(view)],
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: RepeatedView = question.view
        if question.phase != CHOICE:
            return (TextField("message", view.rules.message_words),)
        labels = view.telling.labels[view.seat]
        return (ChoiceField(CHOICE, tuple((labels[action], action) for action in view.telling.order[view.seat])),)

    def _round(self, view: RepeatedView, number: int, framing: Framing) -> Mapping[str, Any]:
        past, seats = view.history[number - 1], (view.seat, view.other)
        window = view.rules.message_rounds
        removed = view.round - 1 - window
        if framing.layout == SHARED_FIRST:
            removed = removed_at_once(view.round - 1, window)
        recent = number > removed
        said = [(seat == view.seat, text) for seat, text in _in_order_of_writing(past) if text]
        return {
            "number": number,
            "actions": [view.telling.labels[seat][past.actions[seat]] for seat in seats],
            "points": [framing.figure(_whole(view.telling.points(past.points[seat]))) for seat in seats],
            "said": said if recent else [],
        }


def _in_order_of_writing(told: RepeatedView | PairRound) -> list[tuple[int, str]]:
    """Return the messages of a round with their seats, in the order in which they were written."""
    order = (told.first, 1 - told.first) if told.said else ()
    messages = ((seat, told.said[seat]) for seat in order)
    return [(seat, text) for seat, text in messages if text is not None]


def _in_order(view: RepeatedView, seat: int) -> list[str]:
    return [view.telling.labels[seat][action] for action in view.telling.order[seat]]


def _earlier(view: RepeatedView, count: int) -> Mapping[str, Any] | None:
    """Return how often each outcome occurred in the first `count` rounds, or None if `count` is 0."""
    if count == 0:
        return None
    seats, labels = (view.seat, view.other), view.telling.labels
    outcomes = Counter(tuple(labels[seat][past.actions[seat]] for seat in seats) for past in view.history[:count])
    return {"last": count, "outcomes": [(*pair, times) for pair, times in sorted(outcomes.items())]}


def _whole(points: float) -> int | float:
    return int(points) if points == int(points) else points
