"""Contrasts: by how much a measure differs between two players of the same games."""

from typing import Any

import numpy as np
import polars as pl
from scipy.special import stdtrit

from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.measures import Measure
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate


def contrast(parts: Ratio | Difference, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of one player less that of another. Both are of the same games, so what a game moves for both cancels
    out: the error is that of the difference, clustered by game, and the interval a t interval over the games in which
    either has a part."""
    found = parts.resampled()
    names = found.keys["player"].to_list()
    for player in (one, other):
        if player not in names:
            raise InputError(f"there is no {player} here; there are {', '.join(names)}")
    a, b = names.index(one), names.index(other)
    value = float(found.value[a] - found.value[b])
    influence = found.influence[:, a] - found.influence[:, b]
    games = int(np.count_nonzero(found.influence[:, [a, b]].any(axis=1)))
    if games < 2:
        return Estimate(value, reason="one game has no spread: no interval")
    error = float(np.sqrt(np.sum(influence**2) * games / (games - 1)))
    half = float(stdtrit(games - 1, (1 + confidence) / 2)) * error
    return Estimate(value, value - half, value + half)


def parts_of(measure: Measure[Any], tables: Any) -> Ratio | Difference:
    """What a measure by player divides by what."""
    if measure.ratio is None or measure.by != ("player",):
        raise InputError(f"{measure.name} is no mean or share by player, so two players cannot be compared by it")
    return measure.ratio(tables)


def of_players(parts: Ratio | Difference, players: list[str]) -> Ratio | Difference:
    """The same for some players alone; games in which none of them has a part stay."""
    if isinstance(parts, Difference):
        return Difference(*(_some(each, players) for each in (parts.first, parts.second)))
    return _some(parts, players)


def _some(parts: Ratio, players: list[str]) -> Ratio:
    return Ratio(parts.rows.filter(pl.col("player").is_in(players)), parts.by, parts.games)
