"""The briefing of Contribute & Punish. Every prompt is self-contained: it has all numbers of all rounds, and the
messages of the last few rounds."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from typing_extensions import override

from ostrom.core import Amount, Chance, Question, Seat
from ostrom.games.contribute_punish import PastRound, PunishView
from ostrom.games.contribute_punish.play import Punishment
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AimedField, AnswerField, NumberField, TextField
from ostrom.players.models.framing import SHARED_FIRST, Framing
from ostrom.players.models.prompting import template

_SEAT_LABEL = re.compile(r"\bP[1-9][0-9]{0,2}\b")


class ContributePunishBriefing(Briefing):
    """The briefing of the game of PGG-Bench."""

    prompts = Path(__file__).parent / "prompts"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: PunishView = question.view
        labels = self.labels(question, framing, chance, len(view.balances))
        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "names": [labels[seat] for seat in framing.listed(len(labels))],
            # If the maximum spending is 0, there is no punishment to describe.
            "punishment": view.rules.punishment and view.rules.max_spend > 0,
        }

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: PunishView = question.view
        labels = self.labels(question, framing, chance, len(view.balances))
        return {
            "rules": view.rules,
            "me": labels[view.seat],
            "table": AmountFormat(framing, labels),
            "view": view,
            "share": _share(view),
            "said": _labelled(view.said, framing, labels),
            "past_rounds": []
            if framing.layout == SHARED_FIRST
            else [_round_text(past, framing, labels, view.rules.message_words) for past in view.history],
            "labels": labels,
            "own": _own_punishments(view) if view.rules.anonymous else (),
            "most": question.spec.most if question.phase == "punishment" else 0,  # type: ignore[attr-defined]
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: PunishView = question.view
        labels = self.labels(question, framing, chance, len(view.balances))
        words = view.rules.message_words
        present = _round_text(_present_round(view), framing, labels, words)
        return [*_past_texts(view.public, framing, labels, words), present]

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: PunishView = question.view
        if question.phase == "message":
            return (TextField("message", view.rules.message_words),)
        if question.phase == "contribution":
            assert isinstance(question.spec, Amount)
            return (
                NumberField("contribution", question.spec.low, question.spec.high, whole=True, scale=framing.scale),
            )
        labels = self.labels(question, framing, chance, len(view.balances))
        spec: Any = question.spec
        targets = tuple((labels[seat], seat) for seat in framing.listed(len(labels)) if seat in spec.others)
        return (AimedField("punish", targets, low=1, high=spec.most, scale=framing.scale),)


class AmountFormat:
    """Formats amounts by seat with the order, the labels and the scale of a framing."""

    def __init__(self, framing: Framing, labels: Sequence[str]) -> None:
        self._labels, self._scale = labels, framing.scale
        self._order = framing.listed(len(labels))

    def by_seat(self, amounts: Sequence[int]) -> str:
        """Return a text with each seat and its amount, such as 'P1 20, P2 15'."""
        return ", ".join([f"{self._labels[seat]} {amounts[seat] * self._scale}" for seat in self._order])

    def in_order(self, amounts: Sequence[int]) -> str:
        """Return the amounts alone, in the order of the seats: '20,15'."""
        return ",".join([str(amounts[seat] * self._scale) for seat in self._order])


def _labelled(
    messages: Sequence[tuple[int, str]], framing: Framing, labels: Sequence[str]
) -> Sequence[tuple[str, str]]:
    """Return the messages with the labels of their seats. If a framing renames seats, labels within messages are
    renamed too."""
    if framing.labels is None:
        return [(labels[seat], text) for seat, text in messages]
    new_labels = {Seat(index).label: label for index, label in enumerate(labels)}

    def relabel(match: re.Match[str]) -> str:
        return new_labels.get(match[0], match[0])

    return [(labels[seat], _SEAT_LABEL.sub(relabel, text)) for seat, text in messages]


def _share(view: PunishView) -> int | None:
    """Return each seat's share of the fund in this round, or None before it is paid."""
    if view.contributions is None:
        return None
    start = view.history[-1].balances[view.seat] if view.history else view.rules.start
    return view.balance - start + view.contributions[view.seat]


def _present_round(view: PunishView) -> PastRound:
    """Return the present round as far as the seat knows it. Its text is the beginning of the text that describes the
    round after its end, so that prompts share a prefix."""
    share, known = _share(view) or 0, view.contributions or ()
    held = view.balances if known else ()
    return PastRound(view.round, (), known, share, view.carry, held, (), (), view.said)


def _own_punishments(view: PunishView) -> Sequence[tuple[int, Punishment]]:
    """Return the punishments by this seat, each with its round. Other seats may not know them."""
    return [(past.round, one) for past in view.history for one in past.punishments if one.punisher == view.seat]


_MAX_PASTS = 8192
"""The number of games for which descriptions of past rounds are stored."""


class _PastInWords(NamedTuple):
    """The descriptions of past rounds, and the data from which they were made."""

    rounds: tuple[PastRound, ...]
    framing: Framing
    labels: tuple[str, ...]
    words: int
    texts: Sequence[str]


_pasts: OrderedDict[int, _PastInWords] = OrderedDict()
"""The descriptions, by the identity of the tuple of rounds."""


def _past_texts(rounds: tuple[PastRound, ...], framing: Framing, labels: tuple[str, ...], words: int) -> Sequence[str]:
    """Return the descriptions of past rounds. Until the next round, all seats of a game have the same tuple of rounds.
    So the descriptions are looked up by the identity of this tuple, since a comparison of all its numbers would take
    longer."""
    past = _pasts.get(id(rounds))
    if past is None or past.rounds is not rounds or past[1:4] != (framing, labels, words):
        texts = [_round_text(one, framing, labels, words) for one in rounds]
        past = _pasts[id(rounds)] = _PastInWords(rounds, framing, labels, words, texts)
        if len(_pasts) > _MAX_PASTS:
            _pasts.popitem(last=False)
    return past.texts


@lru_cache(maxsize=_MAX_PASTS)
def _round_text(past: PastRound, framing: Framing, labels: tuple[str, ...], words: int) -> str:
    """Return the description of a past round. It is cached, since the prompts to all seats contain it in every later
    round."""

    def label_of(seat: int | None) -> str | None:
        return None if seat is None else labels[seat]

    punishments = [
        (label_of(punishment.punisher), label_of(punishment.target), punishment.spend, punishment.damage)
        for punishment in past.punishments
    ]
    context = {
        "framing": framing,
        "table": AmountFormat(framing, labels),
        "past": past,
        "punishments": punishments,
        "said": _labelled(past.messages, framing, labels),
        "words": words,
    }
    return template(ContributePunishBriefing(), framing.variant, "round").render(context).strip()
