"""The rules of the Commons: its settings, with the defaults of the original, and the arithmetic of one turn. The
arithmetic consists of pure array functions over any number of games at once."""

import math
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core.arrays import Array, at_least, below, count, namespace, power, round_values, total


class CommonsRules(BaseModel):
    """The settings of a game of the Commons."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    endowment: float = Field(100.0, gt=0, le=1e9)
    """Amount that every seat receives each turn (M)."""
    duration: int = Field(100, ge=1, le=1_000_000)
    """The target turn T, by which the game has ended in 80 of 100 cases. Players know T, but not the last turn."""
    turns: int | None = Field(None, ge=1, le=1_000_000)
    """A last turn that players know, instead of an uncertain end. The original game does not have this control
    condition."""
    alpha: float = Field(0.5, ge=0, le=1)
    """The redistribution at the start: 1 pays equal shares, 0 shares in proportion to contributions (α)."""

    lobbying: bool = True
    """Allow seats to spend capital to move α."""
    sensitivity: float = Field(0.001, ge=0, allow_inf_nan=False)
    """Change of α by one unit of lobbying."""

    erosion: bool = True
    """Let kept money erode while the synergy is below its initial value."""
    erosion_intensity: float = Field(1.0, ge=0, le=100)
    """The exponent of erosion. Erosion is more severe above 1."""

    voting: bool = True
    """Allow seats to vote to exclude one of them."""
    votes_needed: int = Field(2, ge=1, le=1000)
    """The smallest number of votes that excludes a seat. These votes must also be more than half of the votes cast."""

    synergy: float = Field(1.8, gt=0, allow_inf_nan=False)
    """The synergy at the start (S)."""
    synergy_lowest: float = Field(1.2, gt=0, allow_inf_nan=False)
    """The lowest value of the synergy."""
    synergy_highest: float = Field(3.0, gt=0, allow_inf_nan=False)
    """The highest value of the synergy."""
    golden_age_from: float = Field(0.8, ge=0, le=1)
    """The synergy grows if cooperation is at least this."""
    growth: float = Field(0.1, ge=0, allow_inf_nan=False)
    """The amount by which the synergy grows in a turn."""
    erosion_below: float = Field(0.5, ge=0, le=1)
    """The synergy shrinks if cooperation is below this."""
    shrinkage: float = Field(0.05, ge=0, allow_inf_nan=False)
    """The amount by which the synergy shrinks in a turn."""

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if not self.synergy_lowest <= self.synergy <= self.synergy_highest:
            raise ValueError("the synergy must start between its lowest and its highest value")
        if self.erosion_below > self.golden_age_from:
            raise ValueError("erosion_below must not be above golden_age_from")
        return self

    def ending_probability(self, turn: int) -> float:
        """Return the chance that the game ends after `turn`, the shadow of the future: p(t) = 1 − exp(−k·t) with k =
        2·ln 5 / (T(T+1)). With this k, the game ends by the target turn T with a probability of 80 %."""
        if self.turns is not None:
            return 1.0 if turn >= self.turns else 0.0
        return -math.expm1(-self.ending_rate * turn)

    def too_few_voters(self, seats: int, voters: int) -> bool:
        """Return whether seats vote at a table of this size although there are too few voters to exclude any seat."""
        return self.voting and seats > 2 and voters < self.votes_needed

    @property
    def ending_rate(self) -> float:
        """The rate k in the probability that the game ends."""
        return 2 * math.log(5) / (self.duration * (self.duration + 1))


def lobbied_alpha(alpha: Array, lobby: Array, rules: CommonsRules) -> Array:
    """Step 3: return α after the lobbying, which applies in this turn."""
    xp = namespace(alpha)
    return xp.clip(alpha + rules.sensitivity * total(lobby), 0.0, 1.0)


def seats_in(contributions: Array, present: Array | None) -> Array | int:
    """Return the number of seats still in the game (N)."""
    return contributions.shape[0] if present is None else count(present)


def shares_of(
    contributions: Array, present: Array | None, *, given: Array, seats: Array | int, alpha: Array, grown: Array
) -> Array:
    """Step 6: return shareᵢ = α · grown/N + (1−α) · (cᵢ/Σc) · grown for the seats still in the game. An empty pot pays
    nothing. `given` is Σc, the sum of contributions, and `seats` is N, the number of seats still in the game."""
    xp = namespace(contributions)
    # If all contributions are 0, grown and the rate are also 0, so any divisor is right.
    rate = (1.0 - alpha) * grown / xp.where(given > 0.0, given, 1.0)
    equal = alpha * grown / seats
    return _for_those_in(present, equal + contributions * rate)


def erosion_of(synergy: Array, rules: CommonsRules) -> Array:
    """Step 7: return the factor by which kept money is multiplied. It is (S / S_initial)^intensity if the synergy is
    below its initial value, and otherwise 1."""
    xp = namespace(synergy)
    if not rules.erosion:
        return xp.ones_like(synergy)
    return power(xp.minimum(synergy / rules.synergy, 1.0), rules.erosion_intensity)


def kept_by(contributions: Array, present: Array | None, erosion: Array, rules: CommonsRules) -> Array:
    """Step 8, first part: return the kept money of each seat, after erosion."""
    return _for_those_in(present, (1.0 - contributions) * (rules.endowment * erosion))


def _for_those_in(present: Array | None, values: Array) -> Array:
    return values if present is None else namespace(values).where(present, values, 0.0)


def cooperation_of(given: Array, seats: Array | int) -> Array:
    """Step 9: return the mean contribution of the seats still in the game, Σc/N. It is rounded, so that comparisons do
    not depend on rounding errors."""
    return round_values(given / seats)


def next_synergy(synergy: Array, cooperation: Array, rules: CommonsRules) -> Array:
    """Step 9: return the synergy of the next turn."""
    xp = namespace(synergy)
    grown = xp.where(at_least(cooperation, rules.golden_age_from), synergy + rules.growth, synergy)
    moved = xp.where(below(cooperation, rules.erosion_below), synergy - rules.shrinkage, grown)
    return round_values(xp.clip(moved, rules.synergy_lowest, rules.synergy_highest))


NO_SEAT = -1
"""The vote of a seat that abstains."""


def excluded_by(votes: Array, present: Array, votes_needed: int | Array) -> Array:
    """Step 10: return the seats that leave, (seats, games). These are the seats with more than half of the votes cast
    and at least the votes needed. `votes` has a row for each voter; a vote is the index of a seat, or −1 for none. With
    2 seats left there is no vote."""
    xp = namespace(votes)
    cast = count(votes != NO_SEAT)
    possible = count(present) > 2
    by_target = [count(votes == seat) for seat in range(present.shape[0])]
    return xp.stack([possible & (2 * against > cast) & (against >= votes_needed) for against in by_target])


class CommonsState(NamedTuple):
    """The state of a batch of games at the start of a turn. The last three fields describe the previous turn. Arrays
    have the shape (seats, games) or (games,)."""

    capital: Array
    present: Array | None
    """True for seats still in the game. It is None if no seat can ever leave."""
    alpha: Array
    synergy: Array
    """The synergy of the next turn."""
    contributions: Array
    """The last contributions, as fractions of the endowment. The contribution of a seat that had left is 0."""
    gains: Array
    """The gains of the last turn, before the cost of lobbying."""
    cooperation: Array
    """The mean contribution of the last turn."""


class TurnMoves(NamedTuple):
    """The moves of all seats in one turn. Seats that have left give 0, lobby 0 and abstain. `lobby` or `votes` is None
    if there is no lobbying or no exclusion, because the rules do not allow it or no player uses it."""

    contributions: Array
    """(seats, games) Fractions of the endowment, in [0, 1]."""
    lobby: Array | None
    """(seats, games) Capital spent on α. Positive amounts move α toward 1, negative ones toward 0."""
    votes: Array | None
    """(voters, games) The index of the seat to exclude, or −1. There is a row for every seat that ever votes."""


class TurnOutcome(NamedTuple):
    """The outcome of a turn."""

    state: CommonsState
    """The state after the turn."""
    pot: Array
    """(games,) The sum of the contributions, in money."""
    synergy: Array
    """(games,) The synergy by which the pot was multiplied."""
    shares: Array
    """(seats, games) The shares of the pot."""
    erosion: Array
    """(games,) The factor by which kept money was multiplied."""


def opening(like: Array, seats: int, rules: CommonsRules, *, may_leave: bool = True) -> CommonsState:
    """Return the state before the first turn. The array `like` sets the number of games, the numeric type and the array
    library.

    In this state, all seats have given everything and gained the endowment. So champions that react to the last turn
    begin with full cooperation. The views of other players hide these invented moves."""
    xp = namespace(like)
    games = xp.zeros_like(like)
    table = xp.zeros((seats, like.shape[0]), dtype=like.dtype)
    return CommonsState(
        capital=table,
        present=table == 0.0 if may_leave else None,
        alpha=games + rules.alpha,
        synergy=games + rules.synergy,
        contributions=table + 1.0,
        gains=table + rules.endowment,
        cooperation=games + 1.0,
    )


def play_turn(state: CommonsState, moves: TurnMoves, rules: CommonsRules) -> TurnOutcome:
    """Steps 2 to 10: return the outcome of a turn."""
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
    if moves.votes is not None and present is not None:
        present = present & ~excluded_by(moves.votes, present, rules.votes_needed)
    after = CommonsState(
        capital=capital + gains,
        present=present,
        alpha=alpha,
        synergy=next_synergy(state.synergy, cooperation, rules),
        contributions=contributions,
        gains=gains,
        cooperation=cooperation,
    )
    return TurnOutcome(after, pot=pot, synergy=state.synergy, shares=shares, erosion=erosion)
