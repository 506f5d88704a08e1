"""The briefing of the Commons. All prompts of a seat form one conversation for the whole game. Every turn, the prompt
states the present state of the game as JSON. Seats have pseudonyms."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Answer, Chance, Question
from ostrom.games.commons import SeatView
from ostrom.players.models.briefing import ConversationalBriefing
from ostrom.players.models.fields import REASONING, AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import NO_SEAT, SEAT_FIRST, Framing, Number, pseudonyms
from ostrom.players.models.prompting import dumped, template

FRACTION_DECIMALS = 4
REASONING_WORDS = 60
_TERSE_REASONING_WORDS = 15
"""The word limit for reasoning in the terse wording, which is meant for small and slow models."""
_MAX_SUMMARY_ROWS = 40
"""The largest number of entries in a summary of past turns. In longer games, each entry summarises several turns."""


class CommonsBriefing(ConversationalBriefing):
    """The briefing of the Commons."""

    prompts = Path(__file__).parent / "prompts"
    unit = "tokens"

    @override
    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        return framing.seats_called(pseudonyms(chance, count) if framing.labels is None else [""] * count)

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: SeatView = question.view
        labels = self.labels(question, framing, chance, len(view.capitals))
        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "names": [labels[seat] for seat in framing.listed(len(labels))],
            "voting": view.rules.voting and len(labels) > 2,
        }

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: SeatView = question.view
        labels = self.labels(question, framing, chance, len(view.capitals))
        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "state": self._state(view, framing, labels),
            "own": self._own(view, framing),
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        # Earlier turns are already in the conversation.
        context = {"framing": framing, "turn": question.turn, **self.context(question, framing, chance)}
        return [template(self, framing.variant, "state").render(context).strip()]

    def _state(self, view: SeatView, framing: Framing, labels: Sequence[str]) -> Mapping[str, Any]:
        order = framing.listed(len(labels))
        state: dict[str, Any] = {
            "turn": view.turn,
            **({"you": labels[view.seat]} if framing.layout == SEAT_FIRST else {}),
            "synergy": _whole(round(view.synergy, 9)),
            "redistribution": fraction(view.alpha),
            "capital": {labels[seat]: _whole(framing.amount(view.capitals[seat])) for seat in order},
        }
        if not all(view.present):
            state["excluded"] = [labels[seat] for seat in order if not view.present[seat]]
        if view.contributions is not None:
            last = view.contributions
            state["last_contributions"] = {labels[seat]: fraction(last[seat]) for seat in order if _was_in(view, seat)}
            state["last_mean_contribution"] = fraction(view.cooperation or 0.0)
        return state

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        # The field for reasoning comes first. Text that follows the answer cannot have led to it.
        view: SeatView = question.view
        fields: list[AnswerField] = [
            TextField(REASONING, _TERSE_REASONING_WORDS if framing.variant == "terse" else REASONING_WORDS),
            NumberField("contribution", 0.0, 1.0),
        ]
        if view.rules.lobbying:
            fields.append(NumberField("lobby", -view.capital, view.capital, scale=framing.scale))
        if view.may_vote:
            labels = self.labels(question, framing, chance, len(view.capitals))
            others = [(labels[seat], seat) for seat in framing.listed(len(labels)) if seat in view.others]
            fields.append(ChoiceField("vote", (*others, (NO_SEAT, None))))
        return fields

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        return dict(values)

    @override
    def figures(self, question: Question, answer: Answer | None) -> Mapping[str, Any]:
        # The mean of a turn's contributions is known one turn later, as `mean_before`.
        view: SeatView = question.view
        figures = {
            "turn": view.turn,
            "synergy": view.synergy,
            "capital": view.capital,
            "mean_before": view.cooperation or 0.0,
        }
        return figures if answer is None else {**figures, **answer.value}

    @override
    def summary(self, rows: Sequence[Mapping[str, Any]], now: Mapping[str, Any], framing: Framing) -> str:
        # The summary is JSON, in which each list has one entry per turn. If there are many turns, each entry is the
        # mean of several.
        after = [*rows[1:], now]
        columns: list[tuple[str, list[float]]] = [
            ("your_contribution", [row["contribution"] for row in rows]),
            ("mean_contribution", [row["mean_before"] for row in after]),
            ("synergy", [row["synergy"] for row in rows]),
            ("your_capital_at_its_end", [framing.amount(row["capital"]) for row in after]),
        ]
        if "lobby" in rows[0]:
            columns.insert(1, ("your_lobby", [framing.amount(row["lobby"]) for row in rows]))
        size = -(-len(rows) // _MAX_SUMMARY_ROWS)
        starts = range(0, len(rows), size)
        turns = [
            rows[start]["turn"] if size == 1 else f"{rows[start]['turn']}-{rows[start : start + size][-1]['turn']}"
            for start in starts
        ]
        means = {
            name: [fraction(sum(part) / len(part)) for part in (values[start : start + size] for start in starts)]
            for name, values in columns
        }
        return dumped({"turn": turns, **means})

    @override
    def decided(self, question: Question, answer: Answer, framing: Framing, chance: Chance) -> str:
        value = answer.value
        parts = [f"contribution {fraction(value['contribution'])}"]
        if "lobby" in value:
            parts.append(f"lobby {framing.figure(value['lobby'])}")
        if "vote" in value:
            labels = self.labels(question, framing, chance, len(question.view.capitals))
            parts.append(f"vote {NO_SEAT if value['vote'] is None else labels[value['vote']]}")
        return ", ".join(parts)

    def _own(self, view: SeatView, framing: Framing) -> Mapping[str, Any] | None:
        if not view.own:
            return None
        own: dict[str, Any] = {}
        if framing.layout == 1:  # In layout 2 the public account of every turn has all contributions.
            own["contribution"] = [fraction(past.contribution) for past in view.own]
        if view.rules.lobbying:
            own["lobby"] = [_whole(framing.amount(past.lobby)) for past in view.own]
        own["gain"] = [_whole(framing.amount(past.gain)) for past in view.own]
        return own


def fraction(value: float) -> Number:
    """Return a fraction rounded to the number of decimals that prompts show."""
    return _whole(round(value, FRACTION_DECIMALS))


def _whole(value: Number) -> Number:
    return int(value) if value == int(value) else value


def _was_in(view: SeatView, seat: int) -> bool:
    """Return whether a seat is in the game, or gave something in the last turn. A seat that gave something was in the
    game in that turn, because a seat that has left gives 0."""
    return view.present[seat] or (view.contributions is not None and view.contributions[seat] > 0)
