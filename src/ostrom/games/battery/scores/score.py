"""A score is an estimate: a value with its 95 % interval, or no value and the reason why none is given.

The bootstrap of scores, clustered by condition: whole cells of a grid are drawn again, with replacement, together
with every answer given in them. A resample is a row of weights: how often each condition was drawn."""

import math
from collections.abc import Callable, Hashable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import SEED, percentiles
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import Estimate

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Score = Estimate
"""`value`, `low`, `high` and `reason`; a score that may not be given has no value and a reason."""


def withheld(reason: str) -> Score:
    """No score, and why."""
    return Score(None, reason=reason)


def with_interval(value: float, draws: Floats) -> Score:
    """A score with the percentile interval of its resamples."""
    low, high = percentiles(draws[:, np.newaxis])
    if not math.isfinite(value):
        return withheld("it cannot be computed from these answers")
    return Score(value, float(low[0]), float(high[0]))


def rounded(value: float, decimals: int) -> str:
    """A figure as text, rounded by its decimal digits, halves up: 68.35 is 68.4, though no float is exactly that."""
    if not math.isfinite(value):
        return str(value)
    # Adding 0 leaves no minus before a zero.
    return f"{Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) + 0:f}"


RESAMPLES = 500
Rows = TypeVar("Rows", Floats, Flags)


@lru_cache(maxsize=256)
def drawn(conditions: int) -> Floats:
    """How often each resample drew each condition: (resamples, conditions). The draws are the same in every run."""
    resample = np.repeat(np.arange(RESAMPLES, dtype=np.uint64), conditions)
    draw = np.tile(np.arange(conditions, dtype=np.uint64), RESAMPLES)
    low, high = (np.uint64(word) for word in key_of(SEED))
    picked = (uniform_rows((low, high), resample, "bootstrap", draw, 0) * conditions).astype(np.int64)
    places = resample.astype(np.int64) * conditions + picked
    weights = np.bincount(places, minlength=RESAMPLES * conditions).reshape(RESAMPLES, conditions).astype(np.float64)
    weights.flags.writeable = False
    return weights


def drawn_by(conditions: Sequence[Hashable]) -> Floats:
    """How often each resample drew each row, (resamples, rows), where rows of the same condition are drawn together."""
    places = {condition: place for place, condition in enumerate(dict.fromkeys(conditions))}
    return np.asarray(drawn(len(places))[:, [places[condition] for condition in conditions]])


def once_each(function: Callable[[Rows], Floats], rows: Rows) -> Floats:
    """A function that makes something of every row, computed once for rows that are the same: of a handful of
    conditions many resamples draw the same."""
    places: dict[bytes, int] = {}
    which = [places.setdefault(row.tobytes(), len(places)) for row in rows]
    different = np.empty((len(places), *rows.shape[1:]), dtype=rows.dtype)
    different[which] = rows
    return np.asarray(function(different)[which])
