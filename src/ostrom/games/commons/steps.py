"""The rules of a turn as pure array functions, one for each step. Arrays of seats have the shape (seats, games), arrays of
games the shape (games,). The same functions serve one game (one column) and a batch of any size, on NumPy and on JAX.
"""

from ostrom.games.commons.rules import CommonsRules
from ostrom.table.arrays import Array, count, namespace, settled, total


def lobbied_alpha(alpha: Array, lobby: Array, rules: CommonsRules) -> Array:
    """Step 3: what the lobbies together make of α, which already holds in this turn."""
    xp = namespace(alpha)
    return xp.clip(alpha + rules.sensitivity * total(lobby), 0.0, 1.0)


def pot_of(contributions: Array, rules: CommonsRules) -> Array:
    """Step 4: the sum of what all seats gave."""
    return total(contributions) * rules.endowment


def shares_of(contributions: Array, present: Array, alpha: Array, grown: Array) -> Array:
    """Step 6: shareᵢ = α · grown/N + (1−α) · (cᵢ/Σc) · grown for the seats still in; an empty pot gives nothing."""
    xp = namespace(contributions)
    given = total(contributions)
    # Where nobody gave, grown is 0 and so is the rate, whatever it is divided by.
    rate = (1.0 - alpha) * grown / xp.where(given > 0.0, given, 1.0)
    equal = alpha * grown / count(present)
    return xp.where(present, equal + contributions * rate, 0.0)


def erosion_of(synergy: Array, rules: CommonsRules) -> Array:
    """Step 7: the factor on kept money, (S / S_initial)^intensity below the initial synergy and 1 from there on."""
    xp = namespace(synergy)
    if not rules.erosion:
        return xp.ones_like(synergy)
    return xp.minimum(synergy / rules.synergy, 1.0) ** rules.erosion_intensity


def kept_by(contributions: Array, present: Array, erosion: Array, rules: CommonsRules) -> Array:
    """Step 8, first part: what each seat did not give, after erosion."""
    xp = namespace(contributions)
    return xp.where(present, (1.0 - contributions) * (rules.endowment * erosion), 0.0)


def cooperation_of(contributions: Array, present: Array) -> Array:
    """Step 9: the mean contribution of the seats still in, settled so that it can be compared."""
    return settled(total(contributions) / count(present))


def next_synergy(synergy: Array, cooperation: Array, rules: CommonsRules) -> Array:
    """Step 9: the synergy of the next turn."""
    xp = namespace(synergy)
    grown = xp.where(cooperation >= rules.golden_age_from, synergy + rules.growth, synergy)
    moved = xp.where(cooperation < rules.erosion_below, synergy - rules.shrinkage, grown)
    return settled(xp.clip(moved, rules.synergy_lowest, rules.synergy_highest))


NOBODY = -1
"""A vote for nobody."""


def excluded_by(votes: Array, present: Array) -> Array:
    """Step 10: the seats that leave: named by more than half of the votes cast, and by at least 2. A vote is a seat's
    index or `NOBODY`; with 2 seats left there is no vote."""
    xp = namespace(votes)
    cast = count(votes != NOBODY)
    possible = (cast >= 2) & (count(present) > 2)
    named = [count(votes == seat) for seat in range(votes.shape[0])]
    return xp.stack([possible & (2 * times > cast) & (times >= 2) for times in named])
