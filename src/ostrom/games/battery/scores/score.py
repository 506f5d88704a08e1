"""A score is an estimate: a value with its 95 % interval, or no value with a reason and its code. Each score is
declared once, with the human value and its source.

The grid of conditions is fixed and asked completely, so conditions are not resampled: an interval says how a score
would vary if the same grid were asked again. It is computed from draws, which are alternative values of the score. The
draws of means come from the repetitions within cells, and those of adaptive tasks from simulations of the task. Draws
of different tasks are independent, so that a score composed of others has draws too.

The sampling error of a figure that is linear in the answers, such as a mean or a slope, comes from the repetitions
within cells. Cells are fixed, so differences between cells are no sampling error. A subject whose repetitions all agree
has a sampling error of 0.

The variance is the sum of the unbiased variances of cells. The interval solves (figure − expectation)² = t²·(variance +
ρ·(expectation − figure)), where ρ is the ratio of the third cumulant to the variance. Wilson's interval (1927) uses the
variance at the expectation; this formula extends it to strata and to numbers. The term with ρ is the change of the
variance along an exponential tilting of the answers (Efron 1981). In a slope, whose weights have both signs, third
cumulants cancel except for noise, and ρ is 0. t has Satterthwaite's (1946) degrees of freedom, reduced by the kurtosis
of the answers. For answers with two values, one more deviating answer is added to the variance, since a small number of
deviations says too little. This answer may be in any cell whose answers agree."""

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import percentiles
from ostrom.analysis.study import Scale, Word
from ostrom.core.estimates import Estimate, within_range
from ostrom.core.text import plain_doc

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Score = Estimate
"""A score has `value`, `low`, `high`, `reason` and `code`. A withheld score has a reason and no value."""
DRAWS = 500
_LEVELS = (np.arange(DRAWS) + 0.5) / DRAWS
ONE_ANSWER = "each question was answered once: without repetitions there is no interval"


class Code(StrEnum):
    """Codes of the reasons for missing scores, from the gravest to the least grave."""

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
    UNDECIDED = "cannot be told"
    """The answers do not exclude random choice."""
    NOT_ASKED = "not asked"


NO_STRATEGY = (Code.RANDOM, Code.CONSTANT, Code.POSITION, Code.REFUSED, Code.PARTLY_REFUSED)
"""The codes of subjects whose answers follow habit or chance, and of subjects that refused to answer."""


def no_score(reason: str, code: str | None = None) -> Score:
    """Return a missing score with its reason."""
    return Score(None, reason=reason, code=code)


NOT_ASKED = no_score("it was not asked", Code.NOT_ASKED)


def missing_parts(parts: Mapping[str, Score]) -> Score:
    """Return a missing score for a composite. `parts` contains its missing parts. The score has the gravest of their
    codes, but `NOT_ASKED` only if all of them have that code."""
    codes = {part.code for part in parts.values()}
    gravest = next((code for code in Code if code in codes), None)
    reason = "; ".join(f"{name}: {part.reason}" for name, part in parts.items())
    return no_score(reason, None if gravest is Code.NOT_ASKED and len(codes) > 1 else gravest)


def with_interval(value: float, draws: Floats) -> Score:
    """Return a score with the percentile interval of its draws."""
    if not math.isfinite(value):
        return no_score("it cannot be computed from these answers")
    if np.ptp(draws) <= 1e-12 * max(1.0, abs(value)):
        return Score(value, value, value)
    low, high = percentiles(draws[:, np.newaxis])
    return Score(value, float(low[0]), float(high[0]))


def format_rounded(value: float, decimals: int) -> str:
    """Format a figure. It is rounded half up by its decimal digits: 68.35 becomes 68.4, although no float is exactly
    68.35."""
    if not math.isfinite(value):
        return str(value)
    # Adding 0 removes the sign of a negative zero.
    return f"{Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) + 0:f}"


def percent(share: float | None) -> str:
    """Format a share for a reason."""
    return f"{100 * (share or 0):.3g} %"


class SampledScore(NamedTuple):
    """A score with draws: alternative values from which intervals are computed."""

    score: Score
    draws: Floats = np.empty(0)
    spread: float | None = None
    """The standard deviation of the score over conditions."""
    if_noisy: Floats = np.empty(0)
    """Alternative draws for use in a composite score. They are used if the answers to this score agree, but those to
    another part of the composite vary."""
    bounds: tuple[float, float] | None = None
    """The score in the worst and in the best case, if answers are missing."""
    exact: bool = False
    """True if the score is computed from the model's probabilities of all answers, so that it has no sampling error."""

    @property
    def value(self) -> float | None:
        return self.score.value


def with_draws(value: float, draws: Floats, spread: float | None = None) -> SampledScore:
    """Return a score with its draws. Without draws, it has no interval."""
    if not len(draws):
        return SampledScore(Score(value, reason=ONE_ANSWER), draws, spread)
    return SampledScore(with_interval(value, draws), draws, spread)


def combine(parts: Sequence[tuple[str, SampledScore]], function: Callable[..., Any]) -> SampledScore:
    """Return a score composed of other scores, given by name. If one of them is missing, the composed score is missing
    too, and its reason names the missing score. The draws of each part are combined in a different order, since the
    parts are independent."""
    if missing := {name: part.score for name, part in parts if part.value is None}:
        return SampledScore(missing_parts(missing))
    value = float(function(*(part.value for _, part in parts)))
    exact = all(part.exact for _, part in parts)
    if any(part.bounds for _, part in parts):
        # Every composite score increases with each of its parts. So its bounds follow from those of the parts.
        ends = zip(*(part.bounds or (part.value, part.value) for _, part in parts), strict=True)
        least, greatest = (float(function(*end)) for end in ends)
        whole = combine([(name, part._replace(bounds=None)) for name, part in parts], function)
        return whole._replace(bounds=(least, greatest))
    if not all(len(part.draws) for _, part in parts):
        return with_draws(value, np.empty(0))._replace(exact=exact)
    noisy = any(np.ptp(part.draws) > 0 for _, part in parts)
    draws_of_parts = [part.if_noisy if noisy and len(part.if_noisy) else part.draws for _, part in parts]
    shifted = [np.roll(draws, 137 * number) for number, draws in enumerate(draws_of_parts)]
    return with_draws(value, np.asarray(function(*shifted), dtype=np.float64))._replace(exact=exact)


def weighted_sum(numbers: Floats, weights: Floats, place: Whole, value: float, *, two_valued: bool) -> SampledScore:
    """Return Σ weight · number with its draws. `place` is the number of each answer's cell. Weights are equal within a
    cell. If a cell has a single answer, its error is unknown and there is no interval."""
    counts = np.bincount(place)
    means = np.bincount(place, numbers) / np.maximum(counts, 1)
    spread = float(np.std(means[counts > 0]))
    if np.min(counts[counts > 0]) < 2:
        return with_draws(value, np.empty(0), spread)
    weight = np.bincount(place, weights) / np.maximum(counts, 1)
    gaps = numbers - means[place]
    squares, cubes, fourths = (np.bincount(place, gaps**power) for power in (2, 3, 4))
    variances = weight**2 * squares * counts / np.maximum(counts - 1, 1)
    variance = float(np.sum(variances))
    if np.ptp(numbers) == 0 or variance <= 1e-18 * max(1.0, value**2):
        rare = _rare(numbers, weights, value) if two_valued and np.all(weights > 0) else np.empty(0)
        return with_draws(value, np.full(DRAWS, value), spread)._replace(if_noisy=rare)
    third = float(np.sum(weight**3 * cubes * counts**2 / np.maximum((counts - 1) * (counts - 2), 1) * (counts > 2)))
    levels = _levels(value, variance)
    if two_valued:
        draws = value + _two_valued(levels, numbers, means, weight, counts, variance, third)
        if np.all(weights > 0):
            draws = np.clip(draws, np.min(numbers) * np.sum(weights), np.max(numbers) * np.sum(weights))
        return with_draws(value, draws, spread)
    from scipy.special import stdtrit

    # The kurtosis of the answers over all cells measures the uncertainty of the variance. For normal answers, it is 3.
    kurtosis = max(3.0, float(np.sum(fourths) / np.sum(squares**2 / np.maximum(counts, 1))))
    parts = variances**2 * (kurtosis - 1) / 2 / np.maximum(counts - 1, 1)
    bend = third / variance if np.all(weights > 0) else 0.0
    return with_draws(value, value + _deviations(stdtrit(variance**2 / np.sum(parts), levels), variance, bend), spread)


def _rare(numbers: Floats, weights: Floats, value: float) -> Floats:
    """Return draws of a figure whose answers, each 0 or 100, agree within all cells. The draws assume shares of
    deviating answers that are small enough to remain unobserved among this many answers."""
    part = 1 - (1 - _levels(value, 0.0)) ** (1 / len(numbers))
    return np.asarray(value + part * float(weights @ (100 - 2 * numbers)))


def _levels(value: float, variance: float) -> Floats:
    """Return the probability levels of the draws, in an order that depends on the figure, so that the draws of two
    figures are not correlated."""
    return np.random.default_rng(crc32(f"{value:.9g} {variance:.9g}".encode())).permutation(_LEVELS)


def _two_valued(
    levels: Floats, numbers: Floats, means: Floats, weight: Floats, counts: Whole, variance: float, third: float
) -> Floats:
    """Return the deviations of draws from a figure whose answers have two values. One deviating answer with average
    weight is added to the variance."""
    from scipy.special import ndtri

    low, high = float(np.min(numbers)), float(np.max(numbers))
    unit = (high - low) * float(np.sqrt(np.sum(weight**2 * counts) / np.sum(counts)))
    agree = np.average(np.sign(weight) * ((means == low) * 1.0 - (means == high)), weights=counts)
    return _deviations(ndtri(levels), variance + unit**2, (third + unit**3 * float(agree)) / (variance + unit**2))


def _deviations(quantiles: Floats, variance: float, slope: float) -> Floats:
    """Return for each quantile q the deviation d with the sign of q that solves d² = q²·(variance + slope·d)."""
    bend = slope * quantiles / 2
    return np.asarray(quantiles * (bend + np.sqrt(variance + bend**2)))


class Baseline(NamedTuple):
    """A human value as it was published."""

    quantity: str
    value: str
    source: str


def _read_baselines() -> tuple[Baseline, ...]:
    with (Path(__file__).parent / "baselines.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Baseline(**row) for row in csv.DictReader(file))


BASELINES: Final = _read_baselines()
"""All human values, in the order of the battery's rules."""


class Human(NamedTuple):
    """The human value of a score, in the score's unit. It is a range if the source gives a range."""

    source: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """The derivation of the value, if the source does not contain the value itself."""

    @property
    def score(self) -> Score:
        return Score(self.value, self.low, self.high, "the source gives a range" if self.value is None else None)

    @property
    def cited(self) -> str:
        return f"{self.source} ({self.note})" if self.note else self.source


Result = TypeVar("Result", bound=SampledScore | Score | Word)


@dataclass(frozen=True)
class ScoreDefinition(Scale, Generic[Result]):
    """The declaration of a score: its definition, the function that computes it from a subject's answers, and the human
    value. Calling the declaration with a subject calls this function."""

    of: Callable[[Any], Result] = field(kw_only=True)
    human: Human | None = field(default=None, kw_only=True)
    bounds: tuple[float, float] | None = field(default=None, kw_only=True)
    """The least and the greatest possible value. Intervals are cut off at these values."""

    def __call__(self, subject: Any) -> Result:
        """The score of a subject."""
        result: Any = self.of(subject)
        if self.bounds is None or isinstance(result, Word):
            return result  # type: ignore[no-any-return]
        # Draws are not cut off, since composite scores need their whole distribution.
        if isinstance(result, SampledScore):
            return result._replace(score=within_range(result.score, *self.bounds))  # type: ignore[return-value]
        return within_range(result, *self.bounds)  # type: ignore[return-value]

    def score(self, subject: Any) -> Score | Word:
        """Return the score without its draws."""
        result = self(subject)
        return result.score if isinstance(result, SampledScore) else result


def score(
    name: str,
    title: str,
    decimals: int = 1,
    *,
    theme: str,
    unit: str = "",
    words: bool = False,
    human: Human | None = None,
    bounds: tuple[float, float] | None = None,
) -> Callable[[Callable[[Any], Result]], ScoreDefinition[Result]]:
    """Declare a function of a subject as a score. The first paragraph of its docstring is the score's definition."""

    def declared(of: Callable[[Any], Result]) -> ScoreDefinition[Result]:
        definition = plain_doc((of.__doc__ or "").partition("\n\n")[0])
        return ScoreDefinition(name, title, theme, definition, decimals, words, unit, of=of, human=human, bounds=bounds)

    return declared
