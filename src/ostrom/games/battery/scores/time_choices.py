"""The time task as arrays: every binary choice, and every indifference point."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ostrom.games.battery.scores.logit import Choices
from ostrom.games.battery.scores.score import Flags, Floats

YEAR = 365.0


@dataclass(frozen=True, slots=True)
class TimePoints:
    """Indifference points, a row each."""

    ratio: Floats
    """Sooner amount in parts of the later one. Of a subject that waits even for no gain it is 1, the bound."""
    years: Floats
    """Between the two payments."""
    front: Floats
    """Years to the sooner one."""
    amount: Floats
    """The later amount."""

    def only(self, rows: Flags) -> "TimePoints":
        """Some of the points."""
        return TimePoints(self.ratio[rows], self.years[rows], self.front[rows], self.amount[rows])


def time_points(sequences: pl.DataFrame) -> TimePoints:
    """The points of the sequences asked for the score; censored ones at their bound, invalid ones not at all."""
    kept = _for_score(sequences).filter(pl.col("outcome") != "invalid")
    if kept.is_empty():
        none = np.empty(0)
        return TimePoints(none, none, none, none)
    facts = pl.col("facts").struct
    columns = kept.select(
        ratio=pl.col("value"),
        years=facts.field("days") / YEAR,
        # Months are as long as the task's own, which its facts give for the delay.
        front=pl.when(facts.field("front_months") == 0)
        .then(0.0)
        .otherwise(facts.field("front_months") * facts.field("days") / facts.field("delay_months") / YEAR),
        amount=facts.field("later"),
    ).cast(pl.Float64)
    return TimePoints(**{name: columns[name].to_numpy() for name in columns.columns})


def time_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with 'sooner' as the option chosen; nothing where none is valid."""
    valid = _for_score(answers).filter(pl.col("choice").is_not_null())
    if valid.is_empty():
        return None
    facts = pl.col("facts").struct
    cells = (
        valid.with_columns(
            ratio=facts.field("sooner") / facts.field("later"),
            soon=facts.field("sooner_days") / YEAR,
            late=facts.field("later_days") / YEAR,
            stake=facts.field("later").cast(pl.Float64),
        )
        .group_by("condition", "ratio", "soon", "late", "stake", maintain_order=True)
        .agg(chosen=(pl.col("choice") == "sooner").sum(), answers=pl.len())
    )
    conditions, cluster = np.unique(cells["condition"].to_numpy(), return_inverse=True)
    _, stake = np.unique(cells["stake"].to_numpy(), return_inverse=True)
    features = np.stack([*(cells[name].to_numpy() for name in ("ratio", "soon", "late")), stake.astype(np.float64)])
    chosen, count = (cells[name].to_numpy().astype(np.float64) for name in ("chosen", "answers"))
    return Choices(features, chosen, count, cluster.astype(np.int64), len(conditions))


def _for_score(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("purpose") == "score")
