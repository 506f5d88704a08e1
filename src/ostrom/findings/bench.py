"""The verb `bench`: an experiment of many games, which is stored in a journal. This module has the settings of the
verb, the plan of the experiment, and the finding at its end. Other experiments use this finding too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Finding, NextStep, Row, Table, decimals, number
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.settings import Display, Relation, Settings, excludes, requires
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.described import read_experiment, registered
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment, benchmark
from ostrom.experiment.schedule import ADAPTIVE, BALANCED
from ostrom.experiment.store import PlanRunner
from ostrom.findings.estimates import describe_estimate, forecast_run
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant

MAX_UNCONFIRMED_GAMES: Final = 1_000_000
_SCHEDULES: Final[Mapping[str, int | str]] = {"balanced": BALANCED, "adaptive": ADAPTIVE}


MAX_BALANCED_GAMES: Final = 100_000
"""The largest number of games for which the balance of roles is counted."""
Description: TypeAlias = Callable[[Experiment, str, Any], Finding]
"""A function that returns the finding of a completed plan. Its arguments are the plan, the experiment's id, and the
last result of its stopping rule, or None."""


class PlayedSettings(Settings):
    """Settings of every experiment of many games. They say where it is played, or that only its cost is estimated."""

    name: str | None = Field(None, description="Name of the experiment.")
    dry_run: Annotated[bool, Display(group="Models")] = Field(
        False, description="Estimate calls, tokens and cost without playing."
    )
    yes: bool = Field(False, description="Play without asking, however many games there are.")
    cluster: Annotated[str | None, Display("tls://…", "Table")] = Field(
        None, description="Play on the workers of this Dask scheduler."
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")


def _not_beside_file(name: str) -> Relation:
    """Return a relation that forbids a field if a file describes the experiment."""

    def check(explicit: frozenset[str], settings: Any) -> str | None:
        return _own_settings(name) if {"file", name} <= explicit else None

    return check


def _own_settings(name: str) -> str:
    return f"{field('file')} has its own settings; leave out {field(name)}"


class BenchSettings(PlayedSettings):
    """Settings of a benchmark."""

    file: Annotated[Path | None, Display(form="FILE.toml")] = Field(
        None, description="A file that describes an experiment, instead of a game."
    )
    games: Annotated[
        int, Display(default="100; in games for two, the next number with which all pairs meet equally often")
    ] = Field(100, description="Total number of games.")
    per_pair: int | None = Field(
        None,
        ge=1,
        description="In games for two: the number of games of each ordered pair of players, instead of the total.",
    )
    seats: Annotated[int | None, Display(default="the game's usual number, or all players", alias="group_size")] = (
        Field(None, description="Seats at a table.")
    )
    until: Annotated[str | None, Display(form="RULE")] = Field(
        None, description='Stop early by a rule: "width(mean_final) < 10"; the number of games is the maximum.'
    )
    schedule: Literal["balanced", "adaptive"] | None = Field(
        None, description="Which players meet: all equally often, or mainly those whose ranks are least certain."
    )
    register_: Annotated[bool, Display()] = Field(
        False, description="Register the plan of the file before the first call."
    )
    relations = (
        requires("register_", "file"),
        excludes("games", "per_pair"),
        *(_not_beside_file(name) for name in ("games", "per_pair", "seats")),
    )


@verb("bench", keeps=False, optional_game=True, models=True)
def bench(
    game: Game | None,
    rules: Mapping[str, Any] | None,
    players: Sequence[Contestant] | None,
    store: str | None,
    settings: BenchSettings,
    runner: PlanRunner,
    limits: Limits | None = None,
    reporter: Reporter = SILENT,
) -> Finding:
    """Play many games in which players meet equally often, and keep them in the journal."""
    if (game is None) == (settings.file is None):
        raise InputError(
            f"name a game, as in 'ostrom bench GAME', or name a file with {field('file', 'experiment.toml')}"
        )
    if settings.file is not None:
        for name, value in (("include", players), ("rule", rules)):
            if value is not None:
                raise InputError(_own_settings(name))
        planned = plan_of_file(settings.file, settings)
        planned = replace(planned, limits=(planned.limits or Limits()).updated(limits or Limits()))
        planned.check()
        planned = registered(planned, settings.file, register_plan=settings.register_)
    else:
        assert game is not None
        planned = plan_benchmark(game, players or (), make_rules(game, rules or {}), settings)
        planned = limited(
            planned, limits, settings, f"seat one with {field('llm', 'MODEL')} or {field('include', 'BOT')}"
        )
        planned.check()
    return play_plan(planned, store, settings, runner, reporter)


def limited(planned: Experiment, limits: Limits | None, settings: PlayedSettings, instead: str) -> Experiment:
    """Return a plan with the limits that the user set. Limits that the user did not set keep their values. Raise
    InputError if no model plays and there are limits or a dry run. `instead` is the part of the message that says how
    to add a model."""
    if planned.people and limits is not None and "pause_at_defaults" in limits.model_fields_set:
        name = field("limits", "pause_at_defaults")
        raise InputError(f"{name} is for runs without people; a game with people does not pause")
    if planned.models:
        return replace(planned, limits=(planned.limits or Limits()).updated(limits or Limits()))
    if limits is not None or settings.dry_run:
        name = field("dry_run") if limits is None else limits.first_set
        raise InputError(f"{name} is for models; {instead}")
    return planned


def play_plan(
    planned: Experiment,
    store: str | None,
    settings: PlayedSettings,
    runner: PlanRunner,
    reporter: Reporter = SILENT,
    describe_end: Description | None = None,
) -> Finding:
    """Play an experiment that is not in the journal yet, and return its finding. In a dry run, return the estimate. If
    a run costs money or takes more than a minute, its size is shown before it begins. A very large run must be
    confirmed."""
    if settings.dry_run:
        return describe_estimate(planned)
    with runner.prepare(planned, settings.cluster):
        # The forecast creates the players, so the user must have been asked about keys before.
        forecast = forecast_run(planned)
        is_huge = planned.games > MAX_UNCONFIRMED_GAMES and not settings.yes
        if is_huge:
            runner.confirm(forecast.sentence)
        with open_journal(store, create=True) as journal:
            if forecast.is_large and not is_huge:
                # The size is shown only now, because now the run is certain to start. An error before this is thus a
                # single line.
                reporter.note(forecast.sentence)
            return play_in(planned, journal, store, runner, None, describe_end)


def play_in(
    planned: Experiment,
    journal: Journal,
    store: str | None,
    runner: PlanRunner,
    experiment: str | None = None,
    describe_end: Description | None = None,
) -> Finding:
    """Play the games of an experiment that are not over yet, and return the experiment's finding. The runner must be
    prepared."""
    id_ = runner.play(planned, journal, store, experiment)
    stopping = None
    if planned.until is not None:
        # The function is imported here by its path, because few experiments need the analysis of games.
        stopping = imported("ostrom.experiment.stages:last_look")(planned, journal, id_)
    return (describe_end or describe)(planned, id_, stopping)


def plan_benchmark(
    game: Game, contestants: Sequence[Contestant], rules: BaseModel, settings: BenchSettings
) -> Experiment:
    """Return the plan of a benchmark of one game. Raise InputError if it is invalid."""
    seed = seed_or_random(settings.seed)
    games = _number_of_games(game, len(contestants), settings)
    return stage_plan(benchmark(game, contestants, rules, games, settings.seats, seed), settings)


def _number_of_games(game: Game, players: int, settings: BenchSettings) -> int:
    """Return the total number of games. In a game for two, the default is rounded up so that all ordered pairs meet
    equally often."""
    pairs = players * (players - 1)
    if settings.per_pair is not None:
        if game.seats.most != 2:
            raise InputError(
                f"{field('per_pair')} is for games with two seats; for {game.command} use {field('games')}"
            )
        return settings.per_pair * max(pairs, 1)
    if game.seats.most != 2 or pairs < 1 or "games" in settings.model_fields_set:
        return settings.games
    return -(-settings.games // pairs) * pairs


def plan_of_file(file: Path, settings: BenchSettings) -> Experiment:
    """Return the plan that a file describes. Raise InputError if the plan is invalid, or if the settings give a seed
    and the file has its own seeds."""
    planned = read_experiment(file, seed_or_random(settings.seed))
    if settings.seed is not None and all(part.seed != settings.seed for part in planned.parts):
        raise InputError(f"{file} already sets the seeds; leave out {field('seed')}")
    return stage_plan(planned, settings)


def stage_plan(planned: Experiment, settings: BenchSettings) -> Experiment:
    """Return the plan with the name, stopping rule and schedule that the settings give."""
    return replace(
        planned,
        name=settings.name or planned.name,
        until=planned.until if settings.until is None else settings.until,
        schedule=planned.schedule if settings.schedule is None else _SCHEDULES[settings.schedule],
    )


def describe(planned: Experiment, experiment: str, stopping: Any = None) -> Finding:
    """Return the finding of a completed experiment; `stopping` is the last result of its stopping rule, or None."""
    facts = {"experiment": experiment, "name": planned.called, **planned.settings}
    played = planned if stopping is None else replace(planned, max_games=stopping.games)
    balances = played.role_balances() if played.games <= MAX_BALANCED_GAMES else []
    uneven = [balance.sentence() for balance in balances if not balance.even]
    if balances:
        facts["roles"] = [balance._asdict() for balance in balances]
    return Finding(
        verb="bench",
        title=planned.called,
        facts=facts if stopping is None else {**facts, "stopping": asdict(stopping)},
        parts=[] if stopping is None else [_stopping_table(planned, stopping)],
        sentences=[_played_line(played, experiment), *dict.fromkeys(uneven)],
        next_steps=_next_steps(planned, experiment),
        root="bench",
        result=stopping,
    )


def _played_line(planned: Experiment, experiment: str) -> str:
    seeds = ", ".join(str(seed) for seed in dict.fromkeys(part.seed for part in planned.parts))
    games = " and ".join(dict.fromkeys(part.game.command for part in planned.parts))
    played = f"{number_of(planned.games, 'game')} of {games} with seed {seeds}"
    return f"{played}, kept as {planned.called} ({experiment})."


def _next_steps(planned: Experiment, experiment: str) -> list[NextStep]:
    if all(part.game.finals is None for part in planned.parts):
        return [NextStep("export", {"output": "tables"}, [experiment])]
    return [
        NextStep("ratings", {"experiment": experiment}),
        NextStep("report", {"experiment": experiment, "output": "report"}),
    ]


def _stopping_table(planned: Experiment, stopping: Any) -> Table:
    """Return the figures on which the stopping rule depends. Their intervals are valid although the rule decided when
    play ended."""
    verdict = "holds" if stopping.holds else "does not hold"
    line = f"{planned.until} {verdict} after {number_of(stopping.games, 'game')}: {stopping.said}."
    rows: list[Row] = stopping.figures
    if rows and "value" in rows[0]:
        # A figure belongs to a player, to a player in a role, or to whole games.
        names = [name for name in rows[0] if name not in ("value", "low", "high")]
        keys = [{name: row[name] for name in names} for row in rows]
        estimates = [Estimate(row["value"], row["low"], row["high"]) for row in rows]
        rows = [{**key, "value": estimate} for key, estimate in zip(keys, estimates, strict=True)]
        value = number(
            "value",
            "value",
            decimals(2),
            interval="beside",
            interval_heading="95 % interval under this rule",
            interval_separator=" … ",
        )
        columns = [*(Column(name, name) for name in names), value]
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
