"""The rules of a turn as pure array functions, one for each step. Arrays of seats have the shape (seats, games),
arrays of games the shape (games,). The same functions serve one game (one column) and a batch of any size, on NumPy
and on JAX.

`present` tells which seats are still in the game; `None` says that all are, and spares looking.
"""

from ostrom.games.commons.rules import CommonsRules
from ostrom.table.arrays import Array, at_least, below, count, namespace, settled, total


def lobbied_alpha(alpha: Array, lobby: Array, rules: CommonsRules) -> Array:
    """Step 3: what the lobbies together make of α, which already holds in this turn."""
    xp = namespace(alpha)
    return xp.clip(alpha + rules.sensitivity * total(lobby), 0.0, 1.0)


def seats_in(contributions: Array, present: Array | None) -> Array | int:
    """How many seats are still in the game (N)."""
    return contributions.shape[0] if present is None else count(present)


def shares_of(
    contributions: Array, present: Array | None, *, given: Array, seats: Array | int, alpha: Array, grown: Array
) -> Array:
    """Step 6: shareᵢ = α · grown/N + (1−α) · (cᵢ/Σc) · grown for the seats still in; an empty pot gives nothing.
    `given` is Σc and `seats` is N."""
    xp = namespace(contributions)
    # Where nobody gave, grown is 0 and so is the rate, whatever it is divided by.
    rate = (1.0 - alpha) * grown / xp.where(given > 0.0, given, 1.0)
    equal = alpha * grown / seats
    return _for_those_in(present, equal + contributions * rate)


def erosion_of(synergy: Array, rules: CommonsRules) -> Array:
    """Step 7: the factor on kept money, (S / S_initial)^intensity below the initial synergy and 1 from there on."""
    xp = namespace(synergy)
    if not rules.erosion:
        return xp.ones_like(synergy)
    return xp.minimum(synergy / rules.synergy, 1.0) ** rules.erosion_intensity


def kept_by(contributions: Array, present: Array | None, erosion: Array, rules: CommonsRules) -> Array:
    """Step 8, first part: what each seat did not give, after erosion."""
    return _for_those_in(present, (1.0 - contributions) * (rules.endowment * erosion))


def _for_those_in(present: Array | None, values: Array) -> Array:
    return values if present is None else namespace(values).where(present, values, 0.0)


def cooperation_of(given: Array, seats: Array | int) -> Array:
    """Step 9: the mean contribution of the seats still in, Σc/N, settled so that it can be compared."""
    return settled(given / seats)


def next_synergy(synergy: Array, cooperation: Array, rules: CommonsRules) -> Array:
    """Step 9: the synergy of the next turn."""
    xp = namespace(synergy)
    grown = xp.where(at_least(cooperation, rules.golden_age_from), synergy + rules.growth, synergy)
    moved = xp.where(below(cooperation, rules.erosion_below), synergy - rules.shrinkage, grown)
    return settled(xp.clip(moved, rules.synergy_lowest, rules.synergy_highest))


NOBODY = -1
"""A vote for nobody."""


def excluded_by(votes: Array, present: Array) -> Array:
    """Step 10: (seats, games) the seats that leave: named by more than half of the votes cast, and by at least 2. A
    vote is a seat's index or `NOBODY`, a row is a voter; with 2 seats left there is no vote."""
    xp = namespace(votes)
    cast = count(votes != NOBODY)
    possible = count(present) > 2
    named = [count(votes == seat) for seat in range(present.shape[0])]
    return xp.stack([possible & (2 * times > cast) & (times >= 2) for times in named])
