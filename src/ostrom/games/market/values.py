"""The private values and costs of a market, drawn from a family of distributions or given.

A draw is first made on the unit scale, on which 0 is the lowest and 1 the highest price. The families follow the four
that the public logs of BAZAAR name. The code of those logs is not public, so these families are our own; their means
and standard deviations match those of the logs. One of them differs in kind: the values that the logs call correlated
are independent of each other, and the values of `correlated` here have a common centre."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from ostrom.core import Chance, InputError

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


def unit_value(family: Family, role: str, draw: float, centre: float) -> float:
    """Return the value of a buyer or the cost of a seller between 0 and 1. `draw` and `centre` are numbers between 0
    and 1; all seats of a game have the same `centre`."""
    match family:
        case "uniform":
            value = draw
        case "correlated":
            low, high = CORRELATED_CENTRE
            shift = CORRELATED_SHIFT if role == "buyer" else -CORRELATED_SHIFT
            value = low + (high - low) * centre + CORRELATED_NOISE * (2 * draw - 1) + shift
        case "two-clusters":
            if draw < LOW_CLUSTER:
                value = 0.2 * draw / LOW_CLUSTER
            else:
                value = 0.8 + 0.2 * (draw - LOW_CLUSTER) / (1 - LOW_CLUSTER)
        case "heavy-tailed":
            value = HEAVY_CENTRES[role] + HEAVY_SCALE * _t2_quantile(draw)
    return min(max(value, 0.0), 1.0)


def _t2_quantile(probability: float) -> float:
    """Return a quantile of Student's t distribution with two degrees of freedom, which has a closed form."""
    spread = 2 * probability * (1 - probability)
    return -math.inf if spread == 0 else (2 * probability - 1) / math.sqrt(spread)


def priced_value(unit: float, role: str, max_price: int, tick: int) -> float:
    """Return a value between 0 and 1 as an amount. With a tick of 1, buyers' values are whole numbers from 1 to the
    highest price, and sellers' costs from 0 to the highest price less 1, as in the logs."""
    if tick == 0:
        return unit * max_price
    return float(min(int(unit * max_price), max_price - 1) + (role == "buyer"))


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
        draws = [chance.uniform(VALUE, attempt, seat) for seat in range(len(roles))]
        units = [unit_value(family, role, draw, centre) for role, draw in zip(roles, draws, strict=True)]
        values = [priced_value(unit, role, max_price, tick) for unit, role in zip(units, roles, strict=True)]
        buyers, sellers = by_side(values, roles)
        if efficient_surplus(buyers, sellers) >= min_surplus:
            break
    return values


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
