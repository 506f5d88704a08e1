"""The generator that plays one game of Offers. A round yields one question for an offer, and one for the response."""

from collections.abc import Sequence

import numpy as np

from ostrom.core import Amount, Choice, Event, Play, Table
from ostrom.core.table import Past
from ostrom_offers.bargain import PATIENCE, opening, patience_of, respond
from ostrom_offers.events import Accepted, GameEnded, Offered, PatienceDrawn, Rejected
from ostrom_offers.rules import OffersRules
from ostrom_offers.view import OffersView

ACCEPT, REJECT = "accept", "reject"


def play(rules: OffersRules, table: Table) -> Play:
    """Play until an offer is accepted, or until the last round."""
    patience = [patience_of(table.chance.uniform(PATIENCE, 0, seat.index), rules) for seat in table.seats]
    table.record(PatienceDrawn(patience=patience))
    state = opening(np.asarray(patience)[:, None])
    rejected: list[float] = []

    def view(round_: int, seat: int, offer: float | None) -> OffersView:
        return OffersView(rules, round_, seat, patience[seat], offer, Past(rejected))

    for round_ in range(1, rules.rounds + 1):
        proposer, responder = (table.seats[seat] for seat in ((0, 1) if round_ % 2 else (1, 0)))
        seen = view(round_, proposer.index, None)
        [answer] = yield [table.ask(proposer, "offer", round_, Amount(0.0, rules.pie), seen, fallback=0.0)]
        offer = float(answer.value)
        table.record(Offered(round=round_, seat=proposer.index, offer=offer))
        seen = view(round_, responder.index, offer)
        [answer] = yield [table.ask(responder, "response", round_, Choice((ACCEPT, REJECT)), seen, fallback=REJECT)]
        accepts = answer.value == ACCEPT
        state = respond(state._replace(offer=np.asarray([offer])), np.asarray([accepts]), rules)
        if accepts:
            table.record(Accepted(round=round_, seat=responder.index, parts=state.parts[:, 0].tolist()))
            break
        table.record(Rejected(round=round_, seat=responder.index))
        rejected.append(offer)
    table.record(GameEnded(round=round_, values=state.values[:, 0].tolist()))


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat's part of the pie is worth to it; 0 without agreement."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.values]
