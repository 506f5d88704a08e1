"""The finding of a finished benchmark: its plan, the verdict of its stopping rule, and what to do next."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Finding, Row, Table, decimals, number
from ostrom.core.text import number_of
from ostrom.experiment.plan import Experiment


def describe(planned: Experiment, experiment: str, stopping: Any, next_steps: Sequence[str]) -> Finding:
    """Return the finding of an experiment that is complete; `stopping` is the last verdict of its rule, or None."""
    facts = {"experiment": experiment, "name": planned.called, **planned.settings}
    return Finding(
        verb="bench",
        title=planned.called,
        facts=facts if stopping is None else {**facts, "stopping": asdict(stopping)},
        parts=[] if stopping is None else [_stopping_table(planned, stopping)],
        sentences=["\n".join(next_steps)],
        root="bench",
        result=stopping,
    )


def _stopping_table(planned: Experiment, stopping: Any) -> Table:
    """Return the figures that the rule depends on, with intervals that are valid although it chose the moment."""
    verdict = "holds" if stopping.holds else "does not hold"
    line = f"{planned.until} {verdict} after {number_of(stopping.games, 'game')}: {stopping.said}."
    rows: list[Row] = stopping.figures
    if rows and "value" in rows[0]:
        rows = [{"player": row["player"], "value": Estimate(row["value"], row["low"], row["high"])} for row in rows]
        value = number(
            "value",
            "value",
            decimals(2),
            interval="beside",
            interval_heading="95 % interval under this rule",
            interval_separator=" … ",
        )
        columns = [Column("player", "player"), value]
    else:
        columns = [
            Column("player", "player"),
            number("tier", "tier", cell=_tier_text),
            number("ranks", "ranks", cell=_ranks_text),
        ]
    return Table("stopping_figures", columns, rows, title="valid under stopping", lines_above=[line], in_json=False)


def _tier_text(row: Row) -> str:
    return str(row["tier"] or MISSING)


def _ranks_text(row: Row) -> str:
    return MISSING if row["ranks"] is None else "–".join(map(str, row["ranks"]))
