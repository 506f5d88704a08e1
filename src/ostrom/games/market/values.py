"""The private values and costs of a market, drawn from a family of distributions or given.

A draw is first made on the unit scale, on which 0 is the lowest and 1 the highest price. The families follow the four
that the public logs of BAZAAR name. The code of those logs is not public, so these families are our own; their means
and standard deviations match those of the logs. One of them differs in kind: the values that the logs call correlated
are independent of each other, and the values of `correlated` here have a common centre."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from ostrom.core import Chance, InputError
from ostrom.core.arrays import Array, namespace, ordered, total
from ostrom.core.step import Draws

Family: TypeAlias = Literal["uniform", "correlated", "two-clusters", "heavy-tailed"]
Values: TypeAlias = Literal["uniform", "correlated", "two-clusters", "heavy-tailed", "mixed"]
"""A family of distributions, or one that is drawn for each game."""

FAMILY: Final = "family"
"""The purpose of the random draw of a family."""
MIXED: Final[Mapping[Family, float]] = {"uniform": 0.2, "correlated": 0.5, "two-clusters": 0.7, "heavy-tailed": 1.0}
"""The families in `mixed`, each with the cumulative probability up to it. Their shares are those in the public logs of
BAZAAR and PACT."""

VALUE: Final = "value"
"""The purpose of the random draws of private values."""
CENTRE: Final = "centre"
"""The purpose of the random draw of the centre that the values of a game have in common."""
MAX_ATTEMPTS: Final = 1000
"""The number of times that values are drawn anew if the surplus of a game is too small. The last draw is used as it
is."""

CORRELATED_CENTRE: Final = (0.05, 0.95)
CORRELATED_NOISE: Final = 0.19
"""The largest distance of a value from the common centre."""
CORRELATED_SHIFT: Final = 0.012
"""The distance by which buyers' values lie above the centre, and sellers' costs below it."""
LOW_CLUSTER: Final = 0.52
"""The probability of the lower of the two clusters. It lies between 0 and 0.2, the upper one between 0.8 and 1."""
HEAVY_CENTRES: Final = {"buyer": 0.51, "seller": 0.48}
HEAVY_SCALE: Final = 0.142
"""The scale of the t distribution with two degrees of freedom, which is cut off at both ends of the range."""


def unit_values(family: Family, role: str, draws: Array, centre: Array) -> Array:
    """Return values of buyers, or costs of sellers, between 0 and 1. `draws` and `centre` are arrays of numbers between
    0 and 1; all seats of a game have the same `centre`."""
    xp = namespace(draws)
    match family:
        case "uniform":
            values = draws
        case "correlated":
            low, high = CORRELATED_CENTRE
            shift = CORRELATED_SHIFT if role == "buyer" else -CORRELATED_SHIFT
            values = low + (high - low) * centre + CORRELATED_NOISE * (2 * draws - 1) + shift
        case "two-clusters":
            lower = 0.2 * draws / LOW_CLUSTER
            upper = 0.8 + 0.2 * (draws - LOW_CLUSTER) / (1 - LOW_CLUSTER)
            values = xp.where(draws < LOW_CLUSTER, lower, upper)
        case "heavy-tailed":
            values = HEAVY_CENTRES[role] + HEAVY_SCALE * _t2_quantiles(draws)
    return xp.clip(values, 0.0, 1.0)


def unit_value(family: Family, role: str, draw: float, centre: float) -> float:
    """Return the value of a buyer or the cost of a seller between 0 and 1. `draw` and `centre` are numbers between 0
    and 1."""
    return float(unit_values(family, role, np.asarray([draw]), np.asarray([centre]))[0])


def _t2_quantiles(probabilities: Array) -> Array:
    """Return quantiles of Student's t distribution with two degrees of freedom, which has a closed form."""
    xp = namespace(probabilities)
    spread = 2 * probabilities * (1 - probabilities)
    positive = spread > 0
    quantiles = (2 * probabilities - 1) / xp.sqrt(xp.where(positive, spread, 1.0))
    return xp.where(positive, quantiles, -xp.inf)


def priced_values(units: Array, role: str, max_price: Any, tick: int) -> Array:
    """Return values between 0 and 1 as amounts. With a tick of 1, buyers' values are whole numbers from 1 to the
    highest price, and sellers' costs from 0 to the highest price less 1, as in the logs."""
    if tick == 0:
        return units * max_price
    xp = namespace(units)
    return xp.minimum(xp.floor(units * max_price), 1.0 * max_price - 1) + (role == "buyer")


def private_values(
    draws: Array, centre: Array, roles: Sequence[str], family: Family, max_price: Any, tick: int
) -> Array:
    """Return the private value or cost of each seat, (seats, games), from numbers between 0 and 1 of the same shape.
    The first half of the seats buy. `centre` (games,) is common to the seats of a game."""
    half = len(roles) // 2
    sides = (("buyer", draws[:half]), ("seller", draws[half:]))
    units = [(role, unit_values(family, role, rows, centre)) for role, rows in sides]
    return namespace(draws).concat([priced_values(rows, role, max_price, tick) for role, rows in units])


def efficient_surplus(values: Sequence[float], costs: Sequence[float]) -> float:
    """Return the largest sum of gains from trade in one round, if each seat trades at most one unit."""
    pairs = zip(sorted(values, reverse=True), sorted(costs), strict=False)
    return float(sum(max(0.0, value - cost) for value, cost in pairs))


def family_of(values: Values, chance: Chance) -> Family:
    """Return the family of a game's distribution. With `mixed`, it is drawn."""
    if values != "mixed":
        return values
    draw = chance.uniform(FAMILY, 0)
    return next(family for family, bound in MIXED.items() if draw < bound)


def draw_values(
    chance: Chance, roles: Sequence[str], family: Family, max_price: int, tick: int, min_surplus: float
) -> list[float]:
    """Return the private value or cost of each seat. If the efficient surplus of a round is below `min_surplus`, all of
    them are drawn again."""
    values: list[float] = []
    for attempt in range(MAX_ATTEMPTS):
        centre = chance.uniform(CENTRE, attempt)
        draws = np.asarray([[chance.uniform(VALUE, attempt, seat)] for seat in range(len(roles))])
        values = private_values(draws, np.asarray([centre]), roles, family, max_price, tick)[:, 0].tolist()
        buyers, sellers = by_side(values, roles)
        if efficient_surplus(buyers, sellers) >= min_surplus:
            break
    return values


def efficient_surplus_rows(values: Array) -> Array:
    """Return the efficient surplus of each game, (games,), of values (seats, games) in which the first half of the
    seats buy."""
    half = len(values) // 2
    demand, supply = reversed(ordered(values[:half])), ordered(values[half:])
    xp = namespace(values)
    return total([xp.maximum(value - cost, xp.zeros_like(cost)) for value, cost in zip(demand, supply, strict=True)])


def draw_value_rows(
    draws: Draws, roles: Sequence[str], values: Values, max_price: Any, tick: int, min_surplus: Any
) -> Array:
    """Return the private values of many games, (seats, games). They equal those of `draw_values` with the family that
    `family_of` returns for each game. `max_price` and `min_surplus` may be arrays (games,)."""
    if values != "mixed":
        return _draw_family_rows(draws, roles, values, max_price, tick, min_surplus)
    xp, draw, bounds = namespace(draws.games), draws.uniform(FAMILY, 0), list(MIXED.values())
    by_family = [_draw_family_rows(draws, roles, family, max_price, tick, min_surplus) for family in MIXED]
    rows = by_family[-1]
    for place in reversed(range(len(bounds) - 1)):
        rows = xp.where(draw < bounds[place], by_family[place], rows)
    return rows


def _draw_family_rows(
    draws: Draws, roles: Sequence[str], family: Family, max_price: Any, tick: int, min_surplus: Any
) -> Array:
    xp = namespace(draws.games)

    def attempt_rows(attempt: Any, chosen: Draws, highest: Any) -> Array:
        centre = chosen.uniform(CENTRE, attempt)
        numbers = xp.stack([chosen.uniform(VALUE, attempt, seat) for seat in range(len(roles))])
        return private_values(numbers, centre, roles, family, highest, tick)

    values = attempt_rows(0, draws, max_price)
    if xp is not np:
        return _redraw_traced(values, partial(attempt_rows, chosen=draws, highest=max_price), min_surplus)
    each_highest, each_least = (np.broadcast_to(one, draws.games.shape) for one in (max_price, min_surplus))
    rejected = np.flatnonzero(efficient_surplus_rows(values) < each_least)
    for attempt in range(1, MAX_ATTEMPTS):
        if not len(rejected):
            break
        values[:, rejected] = attempt_rows(attempt, Draws(draws.games[rejected], draws.key), each_highest[rejected])
        rejected = rejected[efficient_surplus_rows(values[:, rejected]) < each_least[rejected]]
    return values


def _redraw_traced(values: Array, attempt_rows: Callable[[Any], Array], min_surplus: Any) -> Array:
    """Return the values after all redraws, in a program of JAX."""
    from jax import lax

    xp = namespace(values)

    def rejected(state: tuple[Any, Array]) -> Array:
        return efficient_surplus_rows(state[1]) < min_surplus

    def more(state: tuple[Any, Array]) -> Any:
        return (state[0] < MAX_ATTEMPTS) & rejected(state).any()

    def again(state: tuple[Any, Array]) -> tuple[Any, Array]:
        drawn = xp.where(rejected(state), attempt_rows(state[0]), state[1])
        return state[0] + 1, drawn

    result: Array = lax.while_loop(more, again, (xp.asarray(1), values))[1]
    return result


def by_side(values: Sequence[float], roles: Sequence[str]) -> tuple[list[float], list[float]]:
    """Return the values of the buyers and the costs of the sellers."""
    pairs = list(zip(values, roles, strict=True))
    return [value for value, role in pairs if role == "buyer"], [value for value, role in pairs if role == "seller"]


def parse_values(text: str) -> tuple[list[float], list[float]]:
    """Return the buyers' values and the sellers' costs of a text such as `86,64;19,61`. Raise `InputError` if the text
    has another form, or not as many values as costs."""
    sides = text.split(";")
    form = "write as many values as costs, such as 86,64;19,61 for two buyers and two sellers"
    if len(sides) != 2:
        raise InputError(f"given values have two sides, buyers and sellers, and this text has {len(sides)}; {form}")
    try:
        values, costs = ([float(part) for part in side.split(",")] for side in sides)
    except ValueError:
        raise InputError(f"given values must be numbers; {form}") from None
    if not all(math.isfinite(value) for value in (*values, *costs)):
        raise InputError(f"given values must be finite; {form}")
    if len(values) != len(costs):
        raise InputError(f"{len(values)} values and {len(costs)} costs are given; {form}")
    return values, costs
