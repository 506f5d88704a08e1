"""A score is an estimate: a value with its 95 % interval, or no value and the reason why none is given."""

import math
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import percentiles
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
