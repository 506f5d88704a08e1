"""The briefing of a double auction. Every prompt is self-contained: it has all that the seat may know of all rounds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.market.double_auction.book import BookStep
from ostrom.games.market.double_auction.play import BUYERS, QUOTE, SELLERS, DoubleAuctionView, PastMarketRound
from ostrom.games.market.double_auction.rules import CONTINUOUS, FORFEIT, market_labels
from ostrom.games.market.talk import ALL, HeardMessage
from ostrom.games.market.talk_briefing import is_shown, message_form, private_messages, said
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField
from ostrom.players.models.framing import SEAT_FIRST, Framing
from ostrom.players.models.optional_fields import OptionalField
from ostrom.players.models.prompting import template

EVERY: Final = "all traders"
"""The recipient of a message to all seats, in prompts."""


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
        if present or view.steps:
            empty = PastMarketRound(view.round, (), (), (), view.steps)
            texts.append(self._round_text(view, empty, present, framing, labels))
        return texts

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: DoubleAuctionView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        first = view.round - view.rules.message_rounds
        private = private_messages(view.messages, first)
        hidden = not view.rules.names_quotes
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": labels[view.seat],
            "role": view.role,
            "past_rounds": self.past(question, framing, chance) if framing.layout == SEAT_FIRST else [],
            "private": [(message.round, *said(message, labels, EVERY)) for message in private],
            "own": list(enumerate(view.own, start=1)) if hidden else [],
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: DoubleAuctionView = question.view
        rules = view.rules
        if question.phase == QUOTE:
            field = NumberField(QUOTE, 0, rules.max_price, whole=rules.tick == 1, scale=framing.scale)
            return (OptionalField(field),) if rules.unreadable == FORFEIT or view.book else (field,)
        labels = self.labels(question, framing, chance, view.seats)
        return message_form(rules, view.seat, labels, EVERY, (BUYERS, SELLERS))

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
        shown = is_shown(past.round, rounds, view.rules.message_rounds, framing)
        messages = [said(message, labels, EVERY) for message in public if shown and message.round == past.round]
        half = view.seats // 2
        listed = framing.listed(view.seats)
        sealed = view.rules.market != CONTINUOUS
        # The quotes and trades of a continuous market are those of its steps.
        named = [("" if view.rules.anonymity else labels[seat], seat) for seat in listed]
        if view.rules.anonymity:
            # Anonymous quotes are in order of price. Passes are left out.
            named = [("", seat) for seat in range(view.seats) if past.quotes and past.quotes[seat] is not None]
        quotes = [(name, seat, past.quotes[seat]) for name, seat in named] if past.quotes and sealed else []
        trades = past.trades if sealed else ()
        context = {
            "framing": framing,
            "steps": [_step(step, labels) for step in past.steps],
            "traded": any(step.price is not None for step in past.steps),
            "number": past.round,
            "over": past.round <= rounds,
            "messages": messages,
            "words": view.rules.message_words,
            "bids": [(name, quote) for name, seat, quote in quotes if seat < half],
            "asks": [(name, quote) for name, seat, quote in quotes if seat >= half],
            "trades": [(labels[trade.buyer], labels[trade.seller], trade.price) for trade in trades],
            "prices": past.prices if sealed else (),
        }
        return template(self, framing.variant, "round").render(context).strip()


def _step(step: BookStep, labels: Sequence[str]) -> dict[str, Any]:
    """Return a quote of a continuous market as variables of a template."""
    return {
        **step._asdict(),
        "name": "" if step.seat is None else labels[step.seat],
        "buys": step.seat is not None and step.seat < len(labels) // 2,
        "partner": "" if step.partner is None else labels[step.partner],
    }
