"""Every measure with its title, its definition and its unit: what a report lists and a chart draws.

A measure takes the tables and gives one row for each of its groups, named by the columns in `by`, with value, low and
high (the 95 % interval over games; missing where there is but one game), n (games) and, except for medians, error (the
standard error clustered by game); some add columns of their own. A player without anything to measure has no row. A
strip has one row a decision, with its value alone."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from ostrom.study.intervals import Difference, Ratio
from ostrom.study.measures.contributions import (
    aggregate_contribution_by_round,
    contribution_percent,
    contribution_percent_by_round,
    contribution_percent_pooled,
    contribution_percent_strip,
    contribution_tokens,
    contribution_tokens_strip,
    endgame_drop,
)
from ostrom.study.measures.outcomes import (
    balance_by_round,
    final_strip,
    mean_final,
    median_final,
    partners_final,
    rank_by_round,
    seat_effects,
)
from ostrom.study.measures.punishment import (
    aggregate_punishment_by_round,
    antisocial_punishment,
    antisocial_share,
    damage_received_percent,
    punishment_spent_percent,
    punishment_spent_percent_by_round,
    retaliation_rate,
    unprovoked_punishment,
    unprovoked_share,
)
from ostrom.study.measures.quality import answer_quality, flawed_answers
from ostrom.study.measures.resampling import Resampling
from ostrom.study.measures.welfare import inequality, welfare
from ostrom.study.measures.words import promise_keeping, promise_share
from ostrom.study.tables import Tables
from ostrom.table import Registry

Unit = Literal["tokens", "share", "rank", "Gini"]
"""A share is a part of one; multiply by 100 for per cent (for `endgame_drop`, percentage points)."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that can be taken from the tables of any games."""

    name: str
    title: str
    definition: str
    """What exactly is computed, for the report: the first paragraph of the function's docstring."""
    function: Callable[[Tables], pl.DataFrame]
    unit: Unit
    by: tuple[str, ...] = ("player",)
    """The columns that name a row; none for a strip."""
    ratio: Callable[[Tables], Ratio | Difference] | None = None
    """Its parts, where two experiments can be compared by it."""
    notes: str = ""
    """The other paragraphs of the docstring: what the measure does not see."""


MEASURES: Registry[Measure] = Registry("measure")


def _enter(
    function: Callable[[Tables], pl.DataFrame],
    title: str,
    unit: Unit,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling | None = None,
) -> None:
    resampling = function if isinstance(function, Resampling) else parts
    said = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    definition, *notes = (" ".join(paragraph.split()) for paragraph in said)
    name = function.__name__
    ratio = resampling.ratio if resampling else None
    MEASURES.add(name, Measure(name, title, definition, function, unit, by, ratio, " ".join(notes)))


_PLAYER_ROUND = ("player", "round")
_enter(mean_final, "Mean final tokens", "tokens")
_enter(median_final, "Median final tokens", "tokens")
_enter(final_strip, "Final tokens, every seat", "tokens", ())
_enter(balance_by_round, "Balance by round", "tokens", _PLAYER_ROUND)
_enter(rank_by_round, "Rank by round", "rank", _PLAYER_ROUND)
_enter(partners_final, "Partners' final tokens", "tokens")
_enter(aggregate_contribution_by_round, "Aggregate contribution by round", "share", ("round",))
_enter(contribution_tokens, "Mean contribution in tokens", "tokens")
_enter(contribution_percent, "Mean contribution as a part of the balance", "share")
_enter(contribution_percent_pooled, "Contribution as a part of all that was held", "share")
_enter(contribution_percent_by_round, "Contribution by round", "share", _PLAYER_ROUND)
_enter(contribution_percent_strip, "Contribution as a part of the balance, every decision", "share", ())
_enter(contribution_tokens_strip, "Contribution in tokens, every decision", "tokens", ())
_enter(aggregate_punishment_by_round, "Aggregate punishment by round", "share", ("round",))
_enter(punishment_spent_percent, "Punishment spent", "share")
_enter(punishment_spent_percent_by_round, "Punishment spent by round", "share", _PLAYER_ROUND)
_enter(damage_received_percent, "Damage received", "share")
_enter(retaliation_rate, "Retaliation rate", "share")
_enter(promise_keeping, "Promises kept", "share", parts=promise_share)
_enter(unprovoked_punishment, "Unprovoked punishment", "share", parts=unprovoked_share)
_enter(antisocial_punishment, "Antisocial punishment", "share", parts=antisocial_share)
_enter(welfare, "Welfare", "share")
_enter(inequality, "Inequality", "Gini")
_enter(endgame_drop, "Endgame drop", "share")
_enter(seat_effects, "Seat effects", "tokens", ("seat",))
_enter(answer_quality, "Answers repaired or defaulted", "share", parts=flawed_answers)
