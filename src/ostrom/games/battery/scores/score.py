"""A score is an estimate: a value with its 95 % interval, or no value, the reason why none is given, and a code of it.
It is declared once, with what people do: the human values that scores are shown beside, each with its source.

The grid of conditions is fixed and asked whole, so no condition is ever drawn again: an interval says how a score would
vary if the same grid were asked anew. It comes from draws, values that the score could as well have had: of a mean by
its repetitions within cells, of the adaptive tasks by playing them again. Draws of different tasks are independent, so
that a score made of others has draws, too."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import percentiles
from ostrom.analysis.study import Scale, Word
from ostrom.core.estimates import Estimate

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Score = Estimate
"""`value`, `low`, `high`, `reason` and `code`; a score that may not be given has no value and a reason."""
DRAWS = 500
ONE_ANSWER = "each question was answered once: without repetitions there is no interval"


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


def lacking(parts: Mapping[str, Score]) -> Score:
    """No score for want of these parts, with the gravest of their codes; that they were not asked only where that is
    true of all."""
    codes = {part.code for part in parts.values()}
    gravest = next((code for code in Code if code in codes), None)
    reason = "; ".join(f"{name}: {part.reason}" for name, part in parts.items())
    return withheld(reason, None if gravest is Code.NOT_ASKED and len(codes) > 1 else gravest)


def with_interval(value: float, draws: Floats) -> Score:
    """A score with the percentile interval of its draws."""
    if not math.isfinite(value):
        return withheld("it cannot be computed from these answers")
    if np.ptp(draws) <= 1e-12 * max(1.0, abs(value)):
        return Score(value, value, value)
    low, high = percentiles(draws[:, np.newaxis])
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


class Sampled(NamedTuple):
    """A score, and draws of it."""

    score: Score
    draws: Floats = np.empty(0)
    spread: float | None = None
    """How much it varies over conditions: the standard deviation of what it is in each."""
    if_noisy: Floats = np.empty(0)
    """Draws in place of these where the subject's other answers show noise, though these happen to agree."""

    @property
    def value(self) -> float | None:
        return self.score.value


def sampled(value: float, draws: Floats, spread: float | None = None) -> Sampled:
    """A score with its draws; without any it has no interval."""
    if not len(draws):
        return Sampled(Score(value, reason=ONE_ANSWER), draws, spread)
    return Sampled(with_interval(value, draws), draws, spread)


def joined(parts: Sequence[tuple[str, Sampled]], function: Callable[..., Any]) -> Sampled:
    """A score made of others, each with its name; none where one of them has no value, and the reason names it. The
    parts are answered apart: their draws are put side by side in different orders, for the same draw must not pick in
    all."""
    if missing := {name: part.score for name, part in parts if part.value is None}:
        return Sampled(lacking(missing))
    value = float(function(*(part.value for _, part in parts)))
    if not all(len(part.draws) for _, part in parts):
        return sampled(value, np.empty(0))
    noisy = any(np.ptp(part.draws) > 0 for _, part in parts)
    every = [part.if_noisy if noisy and len(part.if_noisy) else part.draws for _, part in parts]
    apart = [np.roll(draws, 137 * number) for number, draws in enumerate(every)]
    return sampled(value, np.asarray(function(*apart), dtype=np.float64))


class Baseline(NamedTuple):
    """A human value as its source has it."""

    quantity: str
    value: str
    source: str


BASELINES: Final = (
    Baseline(
        "dictator, share given", "mean 28.35 %; 36.1 % give nothing; 16.7 % give half", "Engel 2011, 616 treatments"
    ),
    Baseline(
        "ultimatum offer; rejections", "40 %; 16 % of offers", "Oosterbeek, Sloof, van de Kuilen 2004, 75 results"
    ),
    Baseline("trust sent; returned", "50 %; 37 %", "Johnson, Mislin 2011, 162 replications"),
    Baseline("trust, original", "5.16 of 10 sent, 4.66 returned", "Berg, Dickhaut, McCabe 1995"),
    Baseline("beauty contest p = 2/3", "mean 36.7, median 33", "Nagel 1995"),
    Baseline("centipede, 6 nodes, take rate", ".01 .06 .21 .53 .73 .85", "McKelvey, Palfrey 1992"),
    Baseline(
        "traveller 2–100, R = 2 (experts)",
        "10 of 45 claim 100, 23 claim 95–99, 3 claim 2",
        "Becker, Carter, Naeve 2005",
    ),
    Baseline(
        "public goods, first rounds",
        "40–60 %, then falling, at a marginal return of 0.3 and more; the battery's is 0.1–0.2",
        "Ledyard 1995",
    ),
    Baseline(
        "public goods, partners",
        "38 % without punishment, 85 % with it (means over ten periods)",
        "Fehr, Gächter 2000",
    ),
    Baseline("with punishment, 16 cities", "29–90 %", "Herrmann, Thöni, Gächter 2008"),
    Baseline("annual discount rate", "0.33, so δ ≈ 0.75", "Matousek, Havranek, Irsova 2021"),
    Baseline("magnitude effect, 1 year", "15 → 60 (139 %), 250 → 350 (34 %), 3000 → 4000 (29 %)", "Thaler 1981"),
    Baseline("present bias β", "0.95–0.97", "Imai, Rutter, Camerer 2021"),
    Baseline(
        "Allais common consequence",
        "46.9 % standard violation, 33.3 % none, 19.8 % reverse",
        "Blavatskyy, Ortmann, Panchenko 2022",
    ),
    Baseline("loss aversion λ", "1.955", "Brown, Imai, Vieider, Camerer 2024"),
)
"""All human values, in the order of the battery's rules."""


class Human(NamedTuple):
    """A human value of one of our scores, in the score's own unit; a range where the source gives one."""

    source: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """How it was made, where a source does not have it as it stands."""

    @property
    def score(self) -> Score:
        return Score(self.value, self.low, self.high, "the source gives a range" if self.value is None else None)

    @property
    def cited(self) -> str:
        return f"{self.source} ({self.note})" if self.note else self.source


Found = TypeVar("Found", bound=Sampled | Score | Word)


@dataclass(frozen=True)
class Declared(Scale, Generic[Found]):
    """A score: what it is, how it comes from a subject's answers, and what is known of people. It is called with a
    subject, like the function that it declares."""

    of: Callable[[Any], Found] = field(kw_only=True)
    human: Human | None = field(default=None, kw_only=True)

    def __call__(self, subject: Any) -> Found:
        """The score of a subject."""
        return self.of(subject)

    def score(self, subject: Any) -> Score | Word:
        """The same without its draws."""
        found = self.of(subject)
        return found.score if isinstance(found, Sampled) else found


def score(
    name: str,
    title: str,
    decimals: int = 1,
    *,
    theme: str,
    unit: str = "",
    words: bool = False,
    human: Human | None = None,
) -> Callable[[Callable[[Any], Found]], Declared[Found]]:
    """Declare a function of a subject as a score. The first paragraph of its docstring is the score's definition."""

    def declared(of: Callable[[Any], Found]) -> Declared[Found]:
        definition = " ".join((of.__doc__ or "").partition("\n\n")[0].split())
        return Declared(name, title, theme, definition, decimals, words, unit, of=of, human=human)

    return declared
