"""One turn of the Commons: from the state and everybody's moves to what happened and the next state."""

from typing import NamedTuple

from ostrom.games.commons.rules import CommonsRules
from ostrom.games.commons.steps import (
    cooperation_of,
    erosion_of,
    excluded_by,
    kept_by,
    lobbied_alpha,
    next_synergy,
    seats_in,
    shares_of,
)
from ostrom.table.arrays import Array, namespace, total


class State(NamedTuple):
    """What the games of a batch stand at when a turn begins. The last three fields tell of the turn before."""

    capital: Array
    """(seats, games) What each seat holds."""
    present: Array | None
    """(seats, games) Whether the seat is still in the game; `None` where nobody can ever leave."""
    alpha: Array
    """(games,) The redistribution."""
    synergy: Array
    """(games,) The synergy of the coming turn."""
    contributions: Array
    """(seats, games) What each seat gave last, as fractions; 0 for a seat that was out."""
    gains: Array
    """(seats, games) What the last turn brought each seat, before the cost of lobbying."""
    cooperation: Array
    """(games,) The mean contribution of the last turn."""


class Moves(NamedTuple):
    """What all seats decided for one turn. Seats that are out give 0, lobby 0 and vote for nobody. `None` says that by
    the rules, or by who sits there, nobody can lobby, or nobody can be excluded."""

    contributions: Array
    """(seats, games) Fractions of the endowment, in [0, 1]."""
    lobby: Array | None
    """(seats, games) Capital spent on α: positive toward 1, negative toward 0."""
    votes: Array | None
    """(voters, games) The index of the seat to exclude, or `NOBODY`, for every seat that ever votes."""


class Outcome(NamedTuple):
    """What a turn brought."""

    state: State
    """Where the games stand now."""
    pot: Array
    """(games,) The sum of the contributions in money."""
    synergy: Array
    """(games,) The synergy that grew the pot."""
    shares: Array
    """(seats, games) What the pot paid."""
    erosion: Array
    """(games,) The factor on kept money."""


def opening(like: Array, seats: int, rules: CommonsRules, *, may_leave: bool = True) -> State:
    """The state before the first turn, for as many games as `like` has elements and in its type and library.

    There is no turn before the first; it stands as if everyone had given everything and earned the endowment. Champions
    that follow what they saw therefore open with full cooperation. Views for others hide it."""
    xp = namespace(like)
    games = xp.zeros_like(like)
    table = xp.zeros((seats, like.shape[0]), dtype=like.dtype)
    return State(
        capital=table,
        present=table == 0.0 if may_leave else None,
        alpha=games + rules.alpha,
        synergy=games + rules.synergy,
        contributions=table + 1.0,
        gains=table + rules.endowment,
        cooperation=games + 1.0,
    )


def play_turn(state: State, moves: Moves, rules: CommonsRules) -> Outcome:
    """Steps 2 to 10 of a turn."""
    contributions, present = moves.contributions, state.present
    capital, alpha = state.capital, state.alpha
    if moves.lobby is not None:
        xp = namespace(moves.lobby)
        capital = capital - xp.abs(moves.lobby)
        alpha = lobbied_alpha(alpha, moves.lobby, rules)
    given, seats = total(contributions), seats_in(contributions, present)
    pot = given * rules.endowment
    shares = shares_of(contributions, present, given=given, seats=seats, alpha=alpha, grown=pot * state.synergy)
    erosion = erosion_of(state.synergy, rules)
    gains = kept_by(contributions, present, erosion, rules) + shares
    cooperation = cooperation_of(given, seats)
    after = State(
        capital=capital + gains,
        present=present if moves.votes is None else _still_in(present, moves.votes),
        alpha=alpha,
        synergy=next_synergy(state.synergy, cooperation, rules),
        contributions=contributions,
        gains=gains,
        cooperation=cooperation,
    )
    return Outcome(after, pot=pot, synergy=state.synergy, shares=shares, erosion=erosion)


def _still_in(present: Array, votes: Array) -> Array:
    return present & ~excluded_by(votes, present)
