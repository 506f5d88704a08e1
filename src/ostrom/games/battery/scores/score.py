"""A score is an estimate: a value with its 95 % interval, or no value, the reason why none is given, and a code of it.

The bootstrap of scores is clustered by condition: whole cells of a grid are drawn again, with replacement, together
with every answer given in them. A resample is a row of weights: how often each condition was drawn."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import percentiles, weights
from ostrom.core.estimates import Estimate

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Rows = TypeVar("Rows", Floats, Flags)

Score = Estimate
"""`value`, `low`, `high`, `reason` and `code`; a score that may not be given has no value and a reason."""
RESAMPLES = 500
ONE_CONDITION = "one condition has no spread: no interval"


class Code(StrEnum):
    """Why there is no score, in a word, the gravest first."""

    REFUSED = "refused"
    MALFORMED = "malformed"
    RANDOM = "random"
    POSITION = "position bias"
    CONSTANT = "constant"
    PARTLY_REFUSED = "partly refused"
    """Too few answers are valid, and some were refused."""
    INVALID = "invalid"
    SEQUENCES = "invalid sequences"
    CENSORED = "censored sequences"
    NOT_ASKED = "not asked"


NO_STRATEGY = (Code.RANDOM, Code.CONSTANT, Code.POSITION, Code.REFUSED, Code.PARTLY_REFUSED)
"""Answers that follow habit or chance, or were refused."""


def withheld(reason: str, code: str | None = None) -> Score:
    """No score, and why."""
    return Score(None, reason=reason, code=code)


NOT_ASKED = withheld("it was not asked", Code.NOT_ASKED)


def gravest(scores: Iterable[Score]) -> Code | None:
    """The gravest code of several scores; that they were not asked only where that is true of all."""
    codes = {score.code for score in scores}
    found = next((code for code in Code if code in codes), None)
    return None if found is Code.NOT_ASKED and len(codes) > 1 else found


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


def percent(share: float | None) -> str:
    """A share as reasons tell it."""
    return f"{100 * (share or 0):.3g} %"


@lru_cache(maxsize=256)
def drawn(conditions: int) -> Floats:
    """How often each resample drew each condition: (resamples, conditions). The draws are the same in every run."""
    return weights(conditions, resamples=RESAMPLES)


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


class Sampled(NamedTuple):
    """A score, and its value again from each resample of conditions."""

    score: Score
    draws: Floats = np.empty(0)

    @property
    def value(self) -> float | None:
        """The score's value."""
        return self.score.value


def joined(parts: Sequence[tuple[str, Sampled]], function: Callable[..., Any]) -> Sampled:
    """A score made of others, each with its name; none where one of them has no value, and the reason names it. The
    parts' conditions are drawn apart: their resamples are put side by side in different orders, for the same draw must
    not pick in all."""
    scores = [part.score for _, part in parts]
    if any(score.value is None for score in scores):
        against = [(name, score) for (name, _), score in zip(parts, scores, strict=True) if score.value is None]
        reason = "; ".join(f"{name}: {score.reason}" for name, score in against)
        return Sampled(withheld(reason, gravest(score for _, score in against)))
    value = float(function(*(score.value for score in scores)))
    apart = [np.roll(part.draws, 137 * number) for number, (_, part) in enumerate(parts)]
    draws = np.asarray(function(*apart), dtype=np.float64)
    if all(score.low is None for score in scores):
        return Sampled(Score(value, reason=ONE_CONDITION), draws)
    return Sampled(with_interval(value, draws), draws)
