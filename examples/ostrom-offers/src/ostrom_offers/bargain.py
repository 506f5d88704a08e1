"""The arithmetic of Offers: pure array functions over any number of games at once. Arrays of a table have the shape
(seats, games), all others (games,)."""

from typing import Any, NamedTuple

from ostrom.core.arrays import Array, namespace
from ostrom_offers.rules import OffersRules

PATIENCE = "patience"
"""The purpose of the draws that make the patience of each seat."""


class State(NamedTuple):
    """What the games stand at."""

    patience: Array
    """(seats, games)"""
    worth: Array
    """(seats, games) What a point is worth to each seat in this round."""
    proposer: Array
    """(games,) The seat that proposes in this round."""
    offer: Array
    """(games,) The offer of this round."""
    open: Array
    """(games,) Whether there is no agreement yet."""
    parts: Array
    """(seats, games) What each seat gets of the pie."""
    values: Array
    """(seats, games) What that is worth to it."""


def patience_of(draw: Any, rules: OffersRules) -> Any:
    """The patience that a draw in [0, 1) makes."""
    return rules.least_patience + (rules.most_patience - rules.least_patience) * draw


def opening(patience: Array) -> State:
    """The state before the first round."""
    xp = namespace(patience)
    table, games = xp.zeros_like(patience), xp.zeros_like(patience[0])
    return State(
        patience=patience,
        worth=table + 1.0,
        proposer=games,
        offer=games,
        open=games == 0.0,
        parts=table,
        values=table,
    )


def respond(state: State, accepts: Array, rules: OffersRules) -> State:
    """Divide the pie where the offer is accepted; elsewhere the other seat proposes next, and points are worth less."""
    xp = namespace(state.offer)
    agreed = state.open & accepts
    seat = xp.stack([state.proposer * 0.0 + number for number in range(2)])
    parts = xp.where(seat == state.proposer, rules.pie - state.offer, state.offer)
    parts = xp.where(agreed, parts, state.parts)
    lasts = state.open & ~accepts
    return state._replace(
        worth=xp.where(lasts, state.worth * state.patience, state.worth),
        proposer=xp.where(lasts, 1.0 - state.proposer, state.proposer),
        open=lasts,
        parts=parts,
        values=parts * state.worth,
    )


def proposer_share(own: Array, other: Array, left: Any) -> Array:
    """The share of the pie that a proposer keeps in the equilibrium with `left` rounds, this one included (Ståhl 1972),
    if both know the patience `own` and `other`. As `left` grows it tends to that of `endless_share`."""
    xp = namespace(own)
    endless = endless_share(own, other)
    alone = left % 2
    return endless + (own * other) ** xp.floor(0.0 * own + left / 2) * (alone - endless)


def endless_share(own: Array, other: Array) -> Array:
    """The share of the pie that a proposer keeps in the equilibrium without a last round (Rubinstein 1982)."""
    return (1.0 - other) / (1.0 - own * other)
