"""The briefing of a double auction. Every prompt is self-contained: it has all that the seat may know of all rounds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.core.spoken import removed_at_once
from ostrom.games.market.double_auction.play import (
    ALL,
    BUYERS,
    QUOTE,
    SELLERS,
    DoubleAuctionView,
    HeardMessage,
    PastMarketRound,
    recipients,
)
from ostrom.games.market.double_auction.rules import FORFEIT, market_labels
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import SEAT_FIRST, SHARED_FIRST, Framing
from ostrom.players.models.optional_fields import OptionalField
from ostrom.players.models.prompting import template


class DoubleAuctionBriefing(Briefing):
    """The briefing of a double auction."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        return framing.seats_called(market_labels(count))

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: DoubleAuctionView = question.view
        names = self.labels(question, framing, chance, view.seats)
        half = view.seats // 2
        listed = framing.listed(view.seats)
        return {
            "rules": view.rules,
            "buyers": [names[seat] for seat in listed if seat < half],
            "sellers": [names[seat] for seat in listed if seat >= half],
            "passes": view.rules.unreadable == FORFEIT,
            "talks": view.rules.messages != "none",
            "number": "a whole number" if view.rules.tick and framing.scale == 1 else "a number",
            # In layout 2 the text is the same for all seats, so it does not say who is asked.
            "me": names[view.seat] if framing.layout == SEAT_FIRST else "",
            "role": view.role if framing.layout == SEAT_FIRST else "",
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: DoubleAuctionView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        public = [message for message in view.messages if message.to == ALL]
        texts = [self._round_text(view, past, public, framing, labels) for past in view.history]
        present = [message for message in public if message.round == view.round]
        if present:
            empty = PastMarketRound(view.round, (), (), ())
            texts.append(self._round_text(view, empty, present, framing, labels))
        return texts

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: DoubleAuctionView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        first = view.round - view.rules.message_rounds
        private = [message for message in view.messages if message.to != ALL and message.round >= first]
        hidden = view.rules.disclosure != "quotes"
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": labels[view.seat],
            "role": view.role,
            "past_rounds": self.past(question, framing, chance) if framing.layout == SEAT_FIRST else [],
            "private": [(message.round, *_said(message, labels)) for message in private],
            "own": list(enumerate(view.own, start=1)) if hidden else [],
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: DoubleAuctionView = question.view
        rules = view.rules
        if question.phase == QUOTE:
            field = NumberField(QUOTE, 0, rules.max_price, whole=rules.tick == 1, scale=framing.scale)
            return (OptionalField(field),) if rules.unreadable == FORFEIT else (field,)
        text = TextField("text" if rules.messages == "addressed" else "message", rules.message_words)
        if rules.messages != "addressed":
            return (text,)
        labels = self.labels(question, framing, chance, view.seats)
        options = [(_recipient(to, labels), to) for to in recipients(view.seat, view.seats)]
        return (ChoiceField("to", tuple(options)), text)

    def _round_text(
        self,
        view: DoubleAuctionView,
        past: PastMarketRound,
        public: Sequence[HeardMessage],
        framing: Framing,
        labels: Sequence[str],
    ) -> str:
        """Return the description of a round, as far as all seats know it."""
        rounds = view.round - 1
        window = view.rules.message_rounds
        removed = removed_at_once(rounds, window) if framing.layout == SHARED_FIRST else rounds - window
        messages = [_said(message, labels) for message in public if message.round == past.round > removed]
        half = view.seats // 2
        listed = framing.listed(view.seats)
        quotes = [(labels[seat], past.quotes[seat]) for seat in listed] if past.quotes else []
        context = {
            "framing": framing,
            "number": past.round,
            "over": past.round <= rounds,
            "messages": messages,
            "words": view.rules.message_words,
            "bids": [quote for seat, quote in zip(listed, quotes, strict=False) if seat < half],
            "asks": [quote for seat, quote in zip(listed, quotes, strict=False) if seat >= half],
            "trades": [(labels[trade.buyer], labels[trade.seller], trade.price) for trade in past.trades],
            "prices": past.prices,
        }
        return template(self, framing.variant, "round").render(context).strip()


def _said(message: HeardMessage, labels: Sequence[str]) -> tuple[str, str, str]:
    """Return the sender, the recipient and the text of a message."""
    return labels[message.seat], _recipient(message.to, labels), message.text


def _recipient(to: int | str, labels: Sequence[str]) -> str:
    if isinstance(to, int):
        return labels[to]
    return {ALL: "all traders", BUYERS: "all buyers", SELLERS: "all sellers"}[to]
