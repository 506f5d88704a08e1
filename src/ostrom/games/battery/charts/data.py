"""What the cards of subjects draw, as tidy tables: every row names its subject, so that the tables of many subjects can
stand below each other. Frames may be empty; what has no score can still have points."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from ostrom.games.battery.scores.cooperation import STATICS, claim_on_scale
from ostrom.games.battery.scores.score import Floats
from ostrom.games.battery.scores.sheets import SCORE, sheet
from ostrom.games.battery.scores.table import SubjectScores

LONGEST: Final = 60.0
"""Months that a discount curve is drawn for, at least."""
_STEPS: Final = 61


def scores_frame(rows: Sequence[SubjectScores]) -> pl.DataFrame:
    """Every score of every subject: `player`, `score`, `value`, `low`, `high`, `reason`."""
    entries = [
        (one.subject, name, score.value, score.low, score.high, score.reason)
        for one in rows
        for name, score in one.scores.items()
    ]
    numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return _frame(entries, {"player": pl.String, "score": pl.String, **numbers, "reason": pl.String})


def discount_points(one: SubjectScores) -> pl.DataFrame:
    """Indifference points of the time task; `front` is the front-end delay in months."""
    time = one.rationality.time
    schema = {"player": pl.String, "amount": pl.Float64, "months": pl.Float64, "front": pl.Float64, "ratio": pl.Float64}
    if time is None:
        return _frame([], schema)
    points = time.points
    months, front = 12 * points.years, 12 * points.front
    columns = (points.amount, months, np.round(front, 1), points.ratio)
    return _frame([(one.subject, *map(float, row)) for row in zip(*columns, strict=True)], schema)


def discount_curves(one: SubjectScores) -> pl.DataFrame:
    """The fitted discount functions from today on: `theory`, `months`, `ratio`, and whether it is the `best` by BIC.
    Where only points are known, the published least squares stand alone."""
    time = one.rationality.time
    schema = {
        "player": pl.String,
        "theory": pl.String,
        "months": pl.Float64,
        "ratio": pl.Float64,
        "best": pl.Boolean,
        "bic": pl.Float64,
    }
    if time is None:
        return _frame([], schema)
    entries: list[tuple[object, ...]] = []
    months = np.linspace(0, longest_delay(one), _STEPS)
    years = months / 12
    for fit in time.fits:
        values = [score.value or 0.0 for score in fit.parameters]
        best = time.best is not None and fit.model == time.best.model
        for month, ratio in zip(months, _discounted(fit.model, values, years), strict=True):
            entries.append((one.subject, fit.model, float(month), float(ratio), best, fit.bic))
    if not time.fits and time.delta.value is not None:
        for month, ratio in zip(months, time.delta.value**years, strict=True):
            entries.append((one.subject, "exponential", float(month), float(ratio), True, None))
    return _frame(entries, schema)


def longest_delay(one: SubjectScores) -> float:
    """The longest delay that was asked about, in months, and five years at least."""
    time = one.rationality.time
    asked = () if time is None else np.round(12 * time.points.years, 1)
    return max(LONGEST, *map(float, asked)) if len(asked) else LONGEST


def _discounted(model: str, values: Sequence[float], years: Floats) -> Floats:
    if model == "exponential":
        return np.asarray(values[0] ** years)
    if model == "quasi-hyperbolic":
        return np.asarray(np.where(years > 0, values[0], 1.0) * values[1] ** years)
    return np.asarray(1 / (1 + values[0] * years))


def triangle_points(one: SubjectScores) -> pl.DataFrame:
    """The reference lotteries, by their chances of 0 (`x`) and of 1000 (`y`), with the lottery on an axis that is as
    good (`x2`, `y2`)."""
    risk = one.rationality.risk
    schema = {"player": pl.String, **dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64)}
    if risk is None:
        return _frame([], schema)
    points = risk.points
    entries = [
        (one.subject, float(reference[0]), float(reference[2]), 0.0 if up else float(q), float(q) if up else 0.0)
        for reference, q, up in zip(points.reference, points.q, points.upward, strict=True)
    ]
    return _frame(entries, schema)


def triangle_lines(m: float, *, every: float = 0.125) -> pl.DataFrame:
    """The straight indifference lines of expected utility, y + m·(1 − x − y) = level, cut at the triangle's edges."""
    entries = []
    for level in np.arange(every, 1 - every / 2, every):
        ends = []
        # With p(1000) = 0, with p(0) = 0, and on the hypotenuse, where p(500) = 0.
        for x, y in ((1 - level / m, 0.0), (0.0, (level - m) / (1 - m)), (1 - level, level)):
            if -1e-9 <= x <= 1 and -1e-9 <= y <= 1 and x + y <= 1 + 1e-9 and (x, y) not in ends:
                ends.append((x, y))
        if len(ends) >= 2:
            entries.append((*ends[0], *ends[-1]))
    return _frame(entries, dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64))


def acceptance(one: SubjectScores) -> pl.DataFrame:
    """How often offers were accepted, by their share of the pot, all in percent."""
    schema = {"player": pl.String, "offer": pl.Float64, "accepted": pl.Float64, "isotonic": pl.Float64, "n": pl.Int64}
    return _frame(
        [(one.subject, row.offer, row.accepted, row.isotonic, row.answers) for row in one.social.acceptance], schema
    )


def returns(one: SubjectScores) -> pl.DataFrame:
    """What was returned of what was received, by the share that had been sent, all in percent."""
    schema = {"player": pl.String, "sent": pl.Float64, "returned": pl.Float64, "n": pl.Int64}
    return _frame([(one.subject, row.sent, row.returned, row.answers) for row in one.social.returns], schema)


def even_return(one: SubjectScores) -> float | None:
    """What the sender needs back, in percent of what was received, to be as well off as before."""
    facts = sheet(one.tasks, "trust", "returner").facts
    return 100 / facts[0]["multiplier"] if facts else None


def guesses(one: SubjectScores) -> pl.DataFrame:
    """Every valid guess of the beauty contest, with its `p` and the `middle` of what can be guessed."""
    found = sheet(one.tasks, "beauty_contest", "guesser")
    entries = [
        (one.subject, float(guess), float(facts["p"]), (facts["low"] + facts["high"]) / 2)
        for guess, facts in zip(found.answers, found.facts, strict=True)
    ]
    return _frame(entries, {"player": pl.String, **dict.fromkeys(("guess", "p", "middle"), pl.Float64)})


def claims(one: SubjectScores) -> pl.DataFrame:
    """Every valid claim of the traveller's dilemma with the bonus, both on the scale to 100."""
    found = sheet(one.tasks, "traveller", "claimant", (SCORE, STATICS))
    entries = [
        (one.subject, round(facts["bonus"] / facts["scale"], 6), claim_on_scale(claim, facts))
        for claim, facts in zip(found.answers, found.facts, strict=True)
    ]
    return _frame(entries, {"player": pl.String, "bonus": pl.Float64, "claim": pl.Float64})


def _frame(entries: Sequence[tuple[object, ...]], schema: dict[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(list(entries), schema=schema, orient="row")
