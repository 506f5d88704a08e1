"""The verb `sweep`: the same games at many points of rules, seats and tables. The verb shows the points at which a
measure changes, and the factors on which the measure depends."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.files import check_folder
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.core.settings import Display
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.sweep_tables import Sweep, describe
from ostrom.findings.tournament import Computation
from ostrom.sim.effects import Condition
from ostrom.sim.factors import Factor, Kind
from ostrom.sim.points import WELFARE
from ostrom.sim.sweep import KeptGames, play_sweep, settings_in
from ostrom.sim.sweep_plan import SweepPlan, plan_of


class SweepSettings(Computation):
    """Settings of the verb `sweep`."""

    vary: Annotated[Any, Display("NAME=VALUES", many=True)] = Field(
        (),
        description="A factor and its values. The factor is a rule, 'seats', the name of a player (its number of "
        "seats) or 'table'. Examples: alpha=0:1:0.05, voting=yes,no, Parasite=0:8:1, "
        "table=Pavlov:4,Pavlov:2+Parasite:2; repeatable.",
    )
    design: Kind = Field(
        "factorial", description="All combinations, a Latin hypercube, or the points that Sobol indices need."
    )
    points: int | None = Field(
        None,
        description="Number of points that lhs draws [100], or of points in each sample of sobol, a power of 2 [128].",
    )
    games: int = Field(200, ge=1, description="Number of games at every point.")
    measure: Annotated[tuple[str, ...], Display("NAME")] = Field(
        (), description="Keep and show these measures only, such as contribution; repeatable."
    )
    boundary: Annotated[str | None, Display("CONDITION")] = Field(
        None,
        description="Find the boundary where an equation holds, such as contribution=0.5 or "
        "final:Pavlov=final:Parasite.",
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    output: Annotated[Path | None, Display("FOLDER", short="o")] = Field(
        None,
        description="Write games, tables (CSV, Parquet) and charts to this folder; the same command resumes the "
        "sweep. If a single game is opened, the file for its record.",
    )


@verb("sweep", game=DEFAULT_GAME)
def sweep(
    game: Game, rules: BaseModel, players: Sequence[Any], settings: SweepSettings, reporter: Reporter = SILENT
) -> Finding:
    """Play games at many points of rules, seats and tables, and show which measures depend on them."""
    plan = plan_sweep(game, rules, players, settings)
    condition = None
    if settings.boundary is not None:
        condition = Condition.of(settings.boundary, plan.measures or plan.available)
        check_condition(condition, plan.factors, plan.design)
    games = None
    if settings.output is not None:
        check_folder(settings.output)
        games = KeptGames(settings.output, plan)
    if plan.slow:
        reporter.note(f"{', '.join(plan.slow)}: played in plain Python, one game at a time, which slows the sweep.")
    with reporter.bar("games", len(plan.values) * plan.games) as advance:
        outcome = play_sweep(
            plan,
            chunk_size=settings.chunk_size,
            workers=settings.workers,
            players_files=files(),
            cluster=settings.cluster,
            kept=games,
            progress=advance,
        )
    finding = describe(Sweep(outcome, default_measures(plan, condition, settings.measure), condition))
    return finding if settings.output is None else _with_files(finding, settings.output, reporter)


def plan_sweep(game: Game, rules: BaseModel, players: Sequence[Any], settings: SweepSettings) -> SweepPlan:
    """Return the plan of a sweep after checking every point. If a folder has an interrupted sweep, the plan uses its
    seed."""
    if isinstance(settings.vary, str):
        raise InputError(f"{field('vary')} must be a list, as in [{settings.vary!r}]")
    before = None if settings.seed is not None or settings.output is None else settings_in(settings.output)
    return plan_of(
        settings.vary,
        games=settings.games,
        seed=seed_or_random(settings.seed) if before is None else int(before["seed"]),
        players=players,
        game=game,
        rules=rules,
        design=settings.design,
        points=settings.points,
        backend=settings.backend,
        measures=settings.measure,
    )


def check_condition(condition: Condition, factors: Sequence[Factor], design: str) -> None:
    """Raise InputError if the design cannot show the boundary. The condition is checked before any game is played."""
    if design != "factorial":
        raise InputError(f"a boundary is found between the points of a factorial design; leave out {field('design')}")
    if not any(factor.numeric and len(factor.levels) > 1 for factor in factors):
        raise InputError("a boundary needs a factor with at least two numeric values, and there is none")


def default_measures(
    plan: SweepPlan, condition: Condition | None = None, wanted: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the measures to show and draw. If no measures are requested, they are the measure of the boundary, the
    first figure of the game, and welfare."""
    if wanted or plan.measures:
        return tuple(dict.fromkeys(wanted or plan.measures))
    common = {WELFARE, "inequality", "survival", "length"}
    figures = [name for name in plan.available if ":" not in name and name not in common][:1]
    of_boundary = [] if condition is None else [condition.measure, *([condition.other] if condition.other else [])]
    return tuple(dict.fromkeys([*of_boundary, *figures, WELFARE]))


def _with_files(finding: Finding, folder: Path, reporter: Reporter) -> Finding:
    with reporter.bar("charts", None, "charts") as advance:
        tables, charts = imported("ostrom.findings.pictures:write_files")(finding, folder, advance)
    named = f"{number_of(len(tables), 'table')} and {number_of(len(charts), 'chart')}"
    line = f"{named} written to {folder}: {', '.join(charts)}"
    return replace(finding, sentences=[*finding.sentences, line])
