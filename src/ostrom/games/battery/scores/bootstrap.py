"""The bootstrap of scores, clustered by condition: whole cells of a grid are drawn again, with replacement, together
with every answer given in them. A resample is a row of weights: how often each condition was drawn."""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np

from ostrom.analysis.intervals import SEED
from ostrom.core.chance import key_of, uniform_rows
from ostrom.games.battery.scores.score import Flags, Floats

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
