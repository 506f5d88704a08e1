"""The briefing of an auction. Every prompt is self-contained: it has all that the seat may know of all rounds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.games.market.auction.play import BID, AuctionView, PastAuction
from ostrom.games.market.talk import ALL, HeardMessage
from ostrom.games.market.talk_briefing import is_shown, message_form, private_messages, said
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, NumberField
from ostrom.players.models.framing import SEAT_FIRST, Framing
from ostrom.players.models.optional_fields import OptionalField
from ostrom.players.models.prompting import template

EVERY: Final = "all bidders"
"""The recipient of a message to all seats, in prompts."""


class AuctionBriefing(Briefing):
    """The briefing of an auction."""

    prompts = Path(__file__).parent / "prompts"
    unit = "points"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: AuctionView = question.view
        names = self.labels(question, framing, chance, view.seats)
        return {
            "rules": view.rules,
            "bidders": [names[seat] for seat in framing.listed(view.seats)],
            "talks": view.rules.messages != "none",
            "number": "a whole number" if view.rules.tick and framing.scale == 1 else "a number",
            # In layout 2 the text is the same for all seats, so it does not say who is asked.
            "me": names[view.seat] if framing.layout == SEAT_FIRST else "",
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: AuctionView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        public = [message for message in view.messages if message.to == ALL]
        texts = [self._round_text(view, past, public, framing, labels) for past in view.history]
        present = [message for message in public if message.round == view.round]
        if present:
            empty = PastAuction(view.round, (), (), None, None, None)
            texts.append(self._round_text(view, empty, present, framing, labels))
        return texts

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: AuctionView = question.view
        labels = self.labels(question, framing, chance, view.seats)
        private = private_messages(view.messages, view.round - view.rules.message_rounds)
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": labels[view.seat],
            "past_rounds": self.past(question, framing, chance) if framing.layout == SEAT_FIRST else [],
            "private": [(message.round, *said(message, labels, EVERY)) for message in private],
            "own": list(enumerate(view.own, start=1)),
            "words": view.rules.message_words,
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: AuctionView = question.view
        if question.phase == BID:
            field = NumberField(BID, 0, view.rules.max_price, whole=view.rules.tick == 1, scale=framing.scale)
            return (OptionalField(field),)
        labels = self.labels(question, framing, chance, view.seats)
        return message_form(view.rules, view.seat, labels, EVERY)

    def _round_text(
        self,
        view: AuctionView,
        past: PastAuction,
        public: Sequence[HeardMessage],
        framing: Framing,
        labels: Sequence[str],
    ) -> str:
        """Return the description of a round, as far as all seats know it."""
        rounds = view.round - 1
        shown = is_shown(past.round, rounds, view.rules.message_rounds, framing)
        listed = framing.listed(view.seats)
        context = {
            "framing": framing,
            "rules": view.rules,
            "number": past.round,
            "over": past.round <= rounds,
            "messages": [said(one, labels, EVERY) for one in public if shown and one.round == past.round],
            "words": view.rules.message_words,
            "bids": [(labels[seat], past.bids[seat]) for seat in listed] if past.bids else [],
            "winners": [labels[seat] for seat in past.winners],
            "price": past.price,
        }
        return template(self, framing.variant, "round").render(context).strip()
