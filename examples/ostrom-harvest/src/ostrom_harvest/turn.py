"""The arithmetic of Harvest: pure array functions over any number of games at once. Arrays of a table have the shape
(seats, games), those of the stock (games,)."""

from typing import Any, NamedTuple

from ostrom.core.arrays import Array, count, namespace, ordered, total, units
from ostrom_harvest.rules import HarvestRules

NO_QUOTA = float("inf")
"""The quota where there is none."""


def regrown(left: Array, rules: HarvestRules) -> Array:
    """The stock before the next round, by logistic growth, bounded by the capacity."""
    xp = namespace(left)
    return xp.minimum(left + rules.regrowth * left * (1.0 - left / rules.capacity), rules.capacity)


def best_stock(rules: HarvestRules) -> Array | float:
    """The stock before a harvest that gives the largest harvest for ever: what half of the capacity, which grows
    fastest, has become."""
    best = rules.capacity * (0.5 + 0.25 * rules.regrowth)
    return min(best, rules.capacity) if isinstance(best, float) else namespace(best).minimum(best, rules.capacity)


def sustainable(stock: Array, rules: HarvestRules) -> Array:
    """The largest harvest of all seats together after which the stock grows back to what it was: GovSim's threshold
    f(t) = max {x : g(h − x) ≥ h}. By logistic growth a full stock does not grow at all, so that every harvest from it
    would be too large; what the stock has above `best_stock` may therefore be taken too."""
    xp = namespace(stock)
    aim = xp.minimum(stock, best_stock(rules))
    grows = xp.asarray(rules.regrowth > 0.0)
    # The smaller root of left + r·left·(1 − left/K) = aim.
    half = 1.0 + rules.regrowth
    root = xp.sqrt(xp.maximum(half * half - 4.0 * rules.regrowth * aim / rules.capacity, 0.0))
    left = rules.capacity * (half - root) / xp.where(grows, 2.0 * rules.regrowth, 1.0)
    return xp.where(grows, xp.maximum(stock - xp.maximum(left, rules.collapse), 0.0), 0.0)


def rationed(requests: Array, stock: Array) -> Array:
    """What each seat harvests: its request, or where all together ask for more than there is, the same part of it for
    everybody."""
    xp = namespace(requests)
    asked = total(requests)
    part = xp.where(asked > stock, stock / xp.where(asked > 0.0, asked, 1.0), 1.0)
    return requests * part


def quota_of(proposals: Array, before: Array, rules: HarvestRules) -> Array:
    """The quota that the seats' proposals make: the median of those that were made (NaN is an abstention), or what more
    than half of all seats propose; else the quota stays as it was."""
    xp, seats, quota = namespace(proposals), proposals.shape[0], before
    if rules.quota == "median":
        made = proposals == proposals
        rows, cast = ordered(xp.where(made, proposals, NO_QUOTA)), count(made)
        for votes in range(1, seats + 1):
            middle = 0.5 * (rows[(votes - 1) // 2] + rows[votes // 2])
            quota = xp.where(cast == votes, middle, quota)
        return quota
    amounts = units(proposals)
    for seat in range(seats):
        alike = count(amounts == amounts[seat])
        quota = xp.where(2 * alike > seats, proposals[seat], quota)
    return quota


class State(NamedTuple):
    """What the games stand at when a round begins. The last two fields tell of the round before; before the first they
    stand as if everybody had taken a fair share."""

    stock: Array
    """(games,) 0 once it has collapsed."""
    quota: Array
    """(games,) For each seat and round; `NO_QUOTA` where there is none."""
    holdings: Array
    """(seats, games) What each seat has harvested, less its fines."""
    offences: Array
    """(seats, games) How often each seat was noticed above the quota."""
    open: Array
    """(games,) Whether the stock has not collapsed."""
    harvests: Array
    """(seats, games) What each seat took last."""
    fair: Array
    """(games,) A seat's share of what could be taken sustainably then."""


class Outcome(NamedTuple):
    """What a harvest brought."""

    state: State
    harvests: Array
    """(seats, games)"""
    noticed: Array
    """(seats, games) Whether the seat committed an offence that was noticed."""
    fines: Array
    """(seats, games)"""
    left: Array
    """(games,) The stock after the harvest, before it grows."""


def opening(like: Array, seats: int, rules: HarvestRules) -> State:
    """The state before the first round, for as many games as `like` has elements and in its type and library."""
    xp = namespace(like)
    games = xp.zeros_like(like)
    table = xp.zeros((seats, like.shape[0]), dtype=like.dtype)
    stock = games + rules.stock
    fair = sustainable(stock, rules) / seats
    return State(
        stock=stock,
        quota=games + NO_QUOTA,
        holdings=table,
        offences=table,
        open=stock > 0.0,
        harvests=table + fair,
        fair=fair,
    )


def fines_of(excess: Array, harvests: Array, offences: Array, rules: HarvestRules) -> Array:
    """What an offence costs, given how many there were before it: nothing the first time, then more each time, and
    never more than was harvested."""
    return namespace(excess).minimum(rules.fine * offences * excess, harvests)


def harvest(state: State, requests: Array, watched: Array | None, rules: HarvestRules) -> Outcome:
    """All harvest at once, offences are fined, and the stock grows or collapses. `watched` says which seats are looked
    at; `None` is all of them."""
    xp = namespace(requests)
    seats = requests.shape[0]
    harvests = rationed(requests, state.stock)
    left = xp.maximum(state.stock - total(harvests), 0.0)
    noticed = units(harvests - _finite(state.quota, xp)) > 0.0
    noticed = noticed & (state.quota < NO_QUOTA)
    if not rules.sanctioning:
        noticed = noticed & False
    if watched is not None:
        noticed = noticed & watched
    excess = xp.where(noticed, harvests - _finite(state.quota, xp), 0.0)
    fines = fines_of(excess, harvests, state.offences, rules)
    lives = state.open & (units(left - rules.collapse) >= 0.0)
    after = State(
        stock=xp.where(lives, regrown(left, rules), 0.0),
        quota=state.quota,
        holdings=state.holdings + (harvests - fines),
        offences=state.offences + xp.astype(noticed, state.offences.dtype),
        open=lives,
        harvests=harvests,
        fair=sustainable(state.stock, rules) / seats,
    )
    return Outcome(after, harvests=harvests, noticed=noticed, fines=fines, left=left)


def _finite(quota: Array, xp: Any) -> Array:
    """The quota as a number to count with; where there is none nobody can exceed it, and it is masked."""
    return xp.where(quota < NO_QUOTA, quota, 0.0)
