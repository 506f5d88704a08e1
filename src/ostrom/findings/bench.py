"""Benchmarks: the settings of an experiment of many games, its plan, and the finding when it is complete."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Finding, Row, Table, decimals, number
from ostrom.core.game import Game
from ostrom.core.settings import Display, Settings, requires
from ostrom.core.text import number_of
from ostrom.experiment.described import read_experiment
from ostrom.experiment.plan import Experiment, benchmark
from ostrom.experiment.schedule import ADAPTIVE, BALANCED
from ostrom.players.base import Contestant

_SCHEDULES: Final[Mapping[str, int | str]] = {"balanced": BALANCED, "adaptive": ADAPTIVE}


class BenchSettings(Settings):
    """Settings of a benchmark."""

    file: Annotated[Path | None, Display(form="FILE.toml")] = Field(
        None, description="An experiment described in a file, in place of a game."
    )
    games: int = Field(100, description="Number of games; in games with two roles, how often each ordered pair meets.")
    seats: Annotated[int | None, Display(default="the game's usual number, or all")] = Field(
        None, description="Seats at a table."
    )
    name: str | None = Field(None, description="Name of the experiment.")
    until: Annotated[str | None, Display(form="RULE")] = Field(
        None, description='Stop early by a rule: "width(mean_final) < 10"; the number of games is the maximum.'
    )
    schedule: Literal["balanced", "adaptive"] | None = Field(
        None, description="Who meets: all players equally, or those least certain in rank."
    )
    register_: Annotated[bool, Display()] = Field(
        False, description="Register the plan of the file before the first call."
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    relations = (requires("register_", "file"),)


def plan_benchmark(
    game: Game, contestants: Sequence[Contestant], rules: BaseModel, settings: BenchSettings
) -> Experiment:
    """Return the plan of a benchmark of one game. Raise InputError if it is invalid."""
    seed = seed_or_random(settings.seed)
    return stage_plan(benchmark(game, contestants, rules, settings.games, settings.seats, seed), settings)


def plan_of_file(file: Path, settings: BenchSettings) -> Experiment:
    """Return the plan that a file describes. Raise InputError if it is invalid, or has other seeds."""
    planned = read_experiment(file, seed_or_random(settings.seed))
    if settings.seed is not None and all(part.seed != settings.seed for part in planned.parts):
        raise InputError(f"{file} already sets the seeds; leave out {field('seed')}")
    return stage_plan(planned, settings)


def stage_plan(planned: Experiment, settings: BenchSettings) -> Experiment:
    """Return the plan with the name, stopping rule and schedule of the settings, and its own where they have none."""
    return replace(
        planned,
        name=settings.name or planned.name,
        until=planned.until if settings.until is None else settings.until,
        schedule=planned.schedule if settings.schedule is None else _SCHEDULES[settings.schedule],
    )


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
