"""The data of subjects' cards as tidy tables. Every row names its subject, so that the tables of many subjects can be
concatenated. Tables may be empty. A subject without a score can still have points."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.core.text import plain_doc
from ostrom.games.battery.scores import social
from ostrom.games.battery.scores.answers import SCORE, STATICS, role_answers
from ostrom.games.battery.scores.cooperation import claim_on_scale
from ostrom.games.battery.scores.score import Floats
from ostrom.games.battery.scores.table import SubjectScores

MIN_MONTHS: Final = 60.0
"""The smallest number of months that a discount curve shows."""
_STEPS: Final = 61


def _frame(subject: SubjectScores, rows: Iterable[Iterable[Any]], *columns: str, **others: Any) -> pl.DataFrame:
    """Return a table of one subject's rows. It has a column with the subject's name, columns of numbers, and columns of
    other types."""
    schema = {"player": pl.String, **dict.fromkeys(columns, pl.Float64), **others}
    return pl.DataFrame([(subject.subject, *row) for row in rows], schema=schema, orient="row")


def scores_frame(rows: Sequence[SubjectScores]) -> pl.DataFrame:
    """A row for each score of each subject."""
    entries = [
        (subject.subject, name, score.value, score.low, score.high, score.reason, score.code)
        for subject in rows
        for name, score in subject.scores.items()
    ]
    names = dict.fromkeys(("player", "score", "value", "low", "high", "reason", "code"), pl.String)
    numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return pl.DataFrame(entries, schema={**names, **numbers}, orient="row")


def discount_points(subject: SubjectScores) -> pl.DataFrame:
    """Indifference points of the time task. `front` is the front-end delay in months."""
    rows: Iterable[Any] = ()
    if subject.time is not None:
        points = subject.time.points
        columns = (points.amount, 12 * points.years, np.round(12 * points.front, 1), points.ratio)
        rows = (map(float, row) for row in zip(*columns, strict=True))
    return _frame(subject, rows, "amount", "months", "front", "ratio")


def discount_curves(subject: SubjectScores) -> pl.DataFrame:
    """The fitted discount functions from today on: `theory`, `months`, `ratio`, and whether the function is the `best`
    by BIC. If only points are known, the published least-squares fit is the only curve."""
    rows: list[tuple[Any, ...]] = []
    months = np.linspace(0, longest_delay(subject), _STEPS)
    if subject.time is not None:
        best, delta = subject.time.best, subject.time.delta.value
        theories: list[tuple[str, list[float], float | None]] = [
            (fit.model, [score.value or 0.0 for score in fit.parameters], fit.bic) for fit in subject.time.fits
        ]
        if not theories and delta is not None:
            theories = [("exponential", [delta], None)]
        for theory, values, bic in theories:
            is_best = best is None or theory == best.model
            ratios = _DISCOUNTED[theory](months / 12, *values)
            rows += ((theory, float(m), float(r), is_best, bic) for m, r in zip(months, ratios, strict=True))
    schema = {"theory": pl.String, "months": pl.Float64, "ratio": pl.Float64, "best": pl.Boolean, "bic": pl.Float64}
    return _frame(subject, rows, **schema)


_DISCOUNTED: Final[Mapping[str, Callable[..., Floats]]] = {
    "exponential": lambda years, delta: np.asarray(delta**years),
    "quasi-hyperbolic": lambda years, beta, delta: np.asarray(np.where(years > 0, beta, 1.0) * delta**years),
    "hyperbolic": lambda years, k: np.asarray(1 / (1 + k * years)),
}


def longest_delay(subject: SubjectScores) -> float:
    """Return the longest delay that was asked about, in months, or five years if that is longer."""
    delays = () if subject.time is None else np.round(12 * subject.time.points.years, 1)
    return max([MIN_MONTHS, *map(float, delays)])


def triangle_points(subject: SubjectScores) -> pl.DataFrame:
    """The reference lotteries, by their chances of 0 (`x`) and of 1000 (`y`). Each is in one row with the lottery on an
    axis that the subject values equally (`x2`, `y2`)."""
    rows: Iterable[Any] = ()
    if subject.risk is not None:
        points = subject.risk.points
        rows = (
            (float(reference[0]), float(reference[2]), 0.0 if up else float(q), float(q) if up else 0.0)
            for reference, q, up in zip(points.reference, points.q, points.upward, strict=True)
        )
    return _frame(subject, rows, "x", "y", "x2", "y2")


def triangle_lines(m: float, *, every: float = 0.125) -> pl.DataFrame:
    """Return the straight indifference lines of expected utility, y + m·(1 − x − y) = level, clipped to the
    triangle."""
    entries = []
    for level in np.arange(every, 1 - every / 2, every):
        ends = []
        # The edges p(1000) = 0 and p(0) = 0, and the hypotenuse, p(500) = 0.
        for x, y in ((1 - level / m, 0.0), (0.0, (level - m) / (1 - m)), (1 - level, level)):
            if -1e-9 <= x <= 1 and -1e-9 <= y <= 1 and x + y <= 1 + 1e-9 and (x, y) not in ends:
                ends.append((x, y))
        if len(ends) >= 2:
            entries.append((*ends[0], *ends[-1]))
    return pl.DataFrame(entries, schema=dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64), orient="row")


def acceptance(subject: SubjectScores) -> pl.DataFrame:
    """The acceptance rate of each offer, in percent. The offer is given as a percentage of the pot."""
    from scipy.optimize import isotonic_regression

    rows: Iterable[Any] = ()
    answers = social.responder(subject)
    if answers.fault is None:
        offers, counts, acceptances = social.by_offer(answers)
        counts, acceptances = counts.sum(axis=0), acceptances.sum(axis=0)
        rising = isotonic_regression(acceptances / counts, weights=counts).x
        rows = zip(offers, 100 * acceptances / counts, 100 * rising, counts.astype(np.int64), strict=True)
    return _frame(subject, (map(np.generic.item, row) for row in rows), "offer", "accepted", "isotonic", n=pl.Int64)


def returns(subject: SubjectScores) -> pl.DataFrame:
    """The returned share of the received amount, by the share that was sent, all in percent."""
    rows: Iterable[Any] = ()
    answers = social.received(subject)
    if answers.fault is None:
        sent = answers.numbers(lambda _, facts: round(100 * facts["sent"] / facts["endowment"], 6))
        back = answers.numbers(social.returned)
        rows = (
            (float(part), float(np.mean(back[sent == part])), int(np.sum(sent == part))) for part in np.unique(sent)
        )
    return _frame(subject, rows, "sent", "returned", n=pl.Int64)


def even_return(subject: SubjectScores) -> float | None:
    """Return the percentage of the received amount that must be returned so that the sender breaks even."""
    facts = role_answers(subject, "trust", "returner").facts
    return 100 / facts[0]["multiplier"] if facts else None


def guesses(subject: SubjectScores) -> pl.DataFrame:
    """Every valid guess of the beauty contest, with the question's `p` and the `middle` of the range."""
    answers = role_answers(subject, "beauty_contest", "guesser").scorable()
    rows = ((float(guess), float(facts["p"]), (facts["low"] + facts["high"]) / 2) for guess, facts in answers)
    return _frame(subject, rows, "guess", "p", "middle")


def claims(subject: SubjectScores) -> pl.DataFrame:
    """Every valid claim of the traveller's dilemma with the bonus, both on the scale to 100."""
    answers = role_answers(subject, "traveller", "claimant", (SCORE, STATICS)).scorable()
    rows = ((round(facts["bonus"] / facts["scale"], 6), claim_on_scale(claim, facts)) for claim, facts in answers)
    return _frame(subject, rows, "bonus", "claim")


def _concatenate(table: Callable[[SubjectScores], pl.DataFrame], rows: Sequence[SubjectScores]) -> pl.DataFrame:
    return pl.concat([table(subject) for subject in rows])


TABLES: Final[Mapping[str, tuple[str, Callable[[Sequence[SubjectScores]], pl.DataFrame]]]] = {
    "scores": (plain_doc(scores_frame.__doc__), scores_frame),
    **{
        table.__name__: (plain_doc(table.__doc__), partial(_concatenate, table))
        for table in (discount_points, discount_curves, triangle_points, acceptance, returns, guesses, claims)
    },
}
"""For each table, by its name: its description, and the function that creates it from subjects."""
