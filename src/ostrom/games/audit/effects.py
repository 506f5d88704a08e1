"""The share of the variance of decisions that comes from the framing of a question, and its chart.

The same situations are asked in many framings. In each situation every level of every factor (wording, labels, order,
seat, currency, scale) occurs equally often, and every framing is asked several times. After each situation's mean is
removed, the variance of decisions is the sum of these parts:

- of each factor: the variance of its levels' mean effects over all situations. The effects are least-squares estimates
  from all factors at once. The mean square of these estimates exceeds that of the true effects by the estimation error.
  This error is estimated from the residuals and subtracted, so that the part is about zero for a player without bias,
  sometimes slightly less (like ω², not η²).
- of combinations: the effects of framings beyond the factors' mean effects, such as the effect of a wording in one
  situation only.
- of noise: the variance between answers to the identical question.

A share is a part divided by the sum. Its interval says how much the share depends on the selection of situations; see
`ostrom.games.audit.variance`. The p-value of a factor comes from shuffling the residuals of the other factors within
every situation. Two kinds of answers are counted and excluded: fallbacks, and answers without a position, such as those
that name no player."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import numpy as np
import polars as pl

from ostrom.charts.forms import interval_and_figure
from ostrom.charts.palette import COLOURS
from ostrom.charts.render import STEP, estimate_tooltips, label_axis, layered, side_by_side, styled
from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.games.audit.variance import ROUNDING, AskedQuestion, Cells, share_intervals
from ostrom.journal.record import GameRecord

SHUFFLES = 999
MIN_SITUATIONS = 4
"""The smallest number of situations for which intervals are computed."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor."""

    name: str
    mean: float
    """The mean decision at this level. All situations, and all levels of the other factors, have equal weight."""
    answers: int


@dataclass(frozen=True, slots=True)
class FactorEffect:
    """The effect of one factor on decisions."""

    name: str
    share: Estimate
    p: float | None
    levels: tuple[Level, ...]

    def is_significant(self, factors: int) -> bool:
        """Return whether the factor is significant if this number of factors is tested (with Bonferroni's
        correction)."""
        return self.p is not None and self.p * factors <= LEVEL

    def as_record(self) -> dict[str, Any]:
        """Return the factor as plain data."""
        levels = [{"level": level.name, "mean": level.mean, "answers": level.answers} for level in self.levels]
        return {"factor": self.name, "share": self.share.as_record(), "p": self.p, "levels": levels}


@dataclass(frozen=True, slots=True)
class Audit:
    """The robustness of decisions to the framing of a question."""

    factors: tuple[FactorEffect, ...]
    """The factors in descending order of their shares in the variance."""
    combinations: Estimate
    noise: Estimate
    mean: float
    deviation: float
    """The standard deviation of decisions within a situation."""
    situations: int
    answers: int

    @property
    def leading(self) -> FactorEffect | None:
        """The significant factor with the largest share, if any."""
        return next((factor for factor in self.factors if factor.is_significant(len(self.factors))), None)

    @property
    def combined(self) -> bool:
        """True if combinations of factors have a significant effect: the interval of their share excludes 0."""
        return self.combinations.low is not None and self.combinations.low > 0

    def as_record(self) -> dict[str, Any]:
        """Return the audit as plain data."""
        return {
            "factors": [factor.as_record() for factor in self.factors],
            "combinations": self.combinations.as_record(),
            "noise": self.noise.as_record(),
            "mean": self.mean,
            "deviation": self.deviation,
            "situations": self.situations,
            "answers": self.answers,
        }


def audit_effects(questions: Sequence[AskedQuestion]) -> Audit:
    """Return the audit that follows from these answers: the share of every varied factor in the variance."""
    cells = Cells.of(questions)
    parts = cells.parts()
    is_constant = bool(parts.whole[0] <= ROUNDING)
    low, high = share_intervals(cells)
    # An unbiased estimate of a share may be below 0 or above 1, although the share itself is not.
    values, lows, highs = (np.clip(part, 0.0, 1.0).tolist() for part in (parts.shares[0], low, high))
    shares = [
        _estimate(value, lows[place], highs[place], cells.situations, is_constant=is_constant)
        for place, value in enumerate(values)
    ]
    mean = float(np.mean(cells.values))
    factors = [
        FactorEffect(name, share, None if is_constant else cells.chance(name, SHUFFLES), _levels(cells, name, mean))
        for name, share in zip(cells.levels, shares, strict=False)
    ]
    return Audit(
        factors=tuple(sorted(factors, key=lambda factor: -(factor.share.value or 0.0))),
        combinations=shares[-2],
        noise=shares[-1],
        mean=mean,
        deviation=float(np.sqrt(max(0.0, parts.whole[0]))),
        situations=cells.situations,
        answers=int(np.sum(cells.repeats)),
    )


def _levels(cells: Cells, name: str, mean: float) -> tuple[Level, ...]:
    """Return the levels with their mean decisions, from the highest mean to the lowest."""
    effects = cells.effects(name, cells.solution @ cells.decisions)[:, 0]
    counts = np.bincount(cells.codes[name], cells.repeats)
    levels = [
        Level(level, mean + float(effect), int(count))
        for level, effect, count in zip(cells.levels[name], effects, counts, strict=True)
    ]
    return tuple(sorted(levels, key=lambda level: (-level.mean, level.name)))


def _estimate(value: float, low: float, high: float, situations: int, *, is_constant: bool) -> Estimate:
    if is_constant:
        return Estimate(None, reason="decisions do not vary within any situation")
    if situations < MIN_SITUATIONS:
        return Estimate(value, reason=f"an interval needs at least {MIN_SITUATIONS} situations")
    if not np.isfinite(high - low):
        return Estimate(value, reason="there is no interval, because one situation has all answers of some kind")
    return Estimate(value, low, high)


@dataclass(frozen=True, slots=True)
class AuditAnswers:
    """The usable answers of an audit, and the numbers of answers that were excluded."""

    questions: tuple[AskedQuestion, ...]
    aspect: str
    """The name of the part of the decision to which answers are reduced."""
    defaulted: int
    """The number of answers that the game supplied for the player."""
    unplaced: int
    """The number of answers without this part, such as answers that name no player."""


def answers_of(records: Iterable[GameRecord], aspect: str | None = None) -> AuditAnswers:
    """Return the answers of finished audit games, reduced to one part of the decision. By default, this is the first
    part."""
    questions: list[AskedQuestion] = []
    defaulted = unplaced = 0
    decided = [
        (record, event["aspects"]) for record in records for event in record.events if event["event"] == "decided"
    ]
    aspects = dict.fromkeys(name for _, parts in decided for name in parts)
    if aspect is not None and aspect not in aspects:
        raise InputError(f"these decisions have no aspect {aspect!r}; they have {', '.join(aspects) or 'none'}")
    # An answer can lack a part, such as an amount that is not given. The fullest answers have the first part.
    fullest: Mapping[str, float] = max((parts for _, parts in decided), key=len, default={})
    name = aspect or next(iter(fullest), "decision")
    for record, parts in decided:
        if any(str(answer.provenance) == "defaulted" for answer in record.answers):
            defaulted += 1
        elif name not in parts:
            unplaced += 1
        else:
            rules = record.rules
            questions.append(AskedQuestion(rules["situation"], rules["cell"], rules["levels"], float(parts[name])))
    return AuditAnswers(tuple(questions), name, defaulted, unplaced)


COMBINATIONS: Final = "in combination"
NOISE: Final = "noise"
ROW_STEP: Final = STEP + 5
MIN_REACH: Final = 0.1
"""The smallest extent of the axis of means in each direction. With it, small differences also look small."""
SIGNIFICANT_COLOUR: Final = COLOURS["Gemini"]
OTHER_COLOUR: Final = "#8a8f98"


def audit_chart(audit: Audit, *, title: str, subtitle: str = "", aspect: str = "decision") -> alt.HConcatChart:
    """Return a chart of the shares of factors, with their intervals, and of the mean decisions of levels. Factors that
    are not significant are grey."""
    rows = _rows(audit)
    names = rows["name"].to_list()
    left = _shares(rows, names)
    right = _means(audit, names, aspect)
    note = "Blue: distinguishable from chance. Lines: 95% intervals. Right: mean decision under each level."
    return styled(side_by_side(left, right, spacing=22), title=title, subtitle=f"{subtitle} {note}".strip())


def _rows(audit: Audit) -> pl.DataFrame:
    parts = [(factor.name, factor.share, factor.is_significant(len(audit.factors))) for factor in audit.factors]
    parts += [(COMBINATIONS, audit.combinations, False), (NOISE, audit.noise, False)]
    return pl.DataFrame(
        [
            {
                "name": name,
                "value": share.value or 0.0,
                "low": share.low if share.low is not None else share.value or 0.0,
                "high": share.high if share.high is not None else share.value or 0.0,
                "figure": "–" if share.value is None else _percent(share.value),
                "colour": SIGNIFICANT_COLOUR if is_significant else OTHER_COLOUR,
            }
            for name, share, is_significant in parts
        ]
    ).with_columns(pl.max_horizontal("value", "high", pl.lit(0.0)).alias("edge"))


def _percent(value: float) -> str:
    whole = round(100 * value)
    return f"−{-whole}%" if whole < 0 else f"{whole}%"


def _shares(rows: pl.DataFrame, names: list[str]) -> alt.LayerChart:
    base = alt.Chart(rows).encode(y=label_axis(names, "name"))
    x = alt.X("value:Q", title="share of variance", axis=alt.Axis(format="~%", tickCount=6), scale=alt.Scale(nice=True))
    tooltips = [alt.Tooltip("name:N", title="factor"), *estimate_tooltips("share", ".1%")]
    colour = alt.Color("colour:N", scale=None)
    bar = base.mark_bar(height={"band": 0.5}).encode(x=x, color=colour, tooltip=tooltips)
    return layered(bar, *interval_and_figure(base), width=330, height=alt.Step(ROW_STEP))


def _means(audit: Audit, names: list[str], aspect: str) -> alt.LayerChart:
    """Draw every level as a dot. Only the highest and the lowest level are labelled, so that labels never overlap."""
    rows = [
        (
            factor.name,
            level.name,
            level.mean,
            level.answers,
            level.name if place == 0 else "",
            level.name if place == len(factor.levels) - 1 and place else "",
            SIGNIFICANT_COLOUR if factor.is_significant(len(audit.factors)) else OTHER_COLOUR,
        )
        for factor in audit.factors
        for place, level in enumerate(factor.levels)
    ]
    schema = {"name": pl.String, "level": pl.String, "mean": pl.Float64, "answers": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema | dict.fromkeys(("high", "low", "colour"), pl.String), orient="row")
    base = alt.Chart(frame).encode(y=label_axis(names, "name", names=False))
    means = [audit.mean, *frame["mean"].to_list()]
    ends = [max(0.0, min(*means, audit.mean - MIN_REACH)), min(1.0, max(*means, audit.mean + MIN_REACH))]
    scale = alt.Scale(zero=False, nice=True, padding=44, domain=ends)
    x = alt.X("mean:Q", title=f"mean {aspect}", axis=alt.Axis(format="~%", tickCount=5), scale=scale)
    dots = base.mark_point(filled=True, size=60, opacity=0.9).encode(
        x=x,
        color=alt.Color("colour:N", scale=None),
        tooltip=[alt.Tooltip("level:N"), alt.Tooltip("mean:Q", title=aspect, format=".1%"), alt.Tooltip("answers:Q")],
    )
    right = base.mark_text(align="left", baseline="middle", dx=8).encode(x=x, text=alt.Text("high:N"))
    left = base.mark_text(align="right", baseline="middle", dx=-8).encode(x=x, text=alt.Text("low:N"))
    return layered(dots, right, left, width=250, height=alt.Step(ROW_STEP))
