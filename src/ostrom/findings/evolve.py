"""The verb `evolve`: a population in which players are imitated according to their payoffs. The input is a payoff
table. The result is the long-run outcome of a process, with intervals that include the uncertainty of the payoffs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import numpy as np
import polars as pl
from pydantic import BaseModel, BeforeValidator, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import DEFAULT_GAME, files, find_game
from ostrom.core.settings import Display, excludes
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.evolution import Evolution, describe
from ostrom.findings.payoff_sources import (
    DEFAULT_GAMES,
    PayoffSettings,
    Source,
    chosen_strategies,
    group_seats,
    groups_of,
    of_game,
    slow_players,
    source_without_game,
)
from ostrom.findings.processes import PopulationModel, ProcessTables, run_agents, run_process
from ostrom.sim.batch import Floats
from ostrom.sim.evolution import DYNAMICS, Dynamics, check_shares
from ostrom.sim.finite_populations import Process, check_mutation
from ostrom.sim.payoff_games import FittedTable, completed, note_of
from ostrom.sim.payoffs import MAX_RESAMPLES, Groups, PayoffTable, check_population
from ostrom.sim.structured import WELL_MIXED, Agents, structure_of

PROCESSES: Final = (*get_args(Dynamics), *get_args(Process))
Mutation: TypeAlias = float | Literal["small"]
DEFAULT_POPULATION: Final = 100
DEFAULT_RESAMPLES: Final = 100
MAX_INDIVIDUALS: Final = 1_000_000
"""The largest size of a finite population. Larger populations behave like infinite ones, for which there are separate
processes."""


def _parse_mutation(value: Any) -> Any:
    """Return 'small' or a number."""
    if value is None or value == "small" or not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        raise ValueError("must be 'small' or a probability") from None


def _parse_start(value: Any) -> Any:
    """Return shares by player from words of the form NAME=SHARE. If the value is not a list of words, return it
    unchanged."""
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        return value
    shares: dict[str, float] = {}
    for word in value:
        name, _, share = word.rpartition("=")
        try:
            shares[name] = float(share)
        except ValueError:
            name = ""
        if not name:
            raise ValueError(f"write NAME=SHARE, not {word!r}")
    return shares or None


class EvolveSettings(PayoffSettings):
    """Settings of an evolution."""

    process: Annotated[Dynamics | Process, Display("|".join(PROCESSES))] = Field(
        "fermi", description="The process by which the population changes with payoffs."
    )
    population: Annotated[int | None, Display(default="100")] = Field(
        None, ge=2, le=MAX_INDIVIDUALS, description="Number of individuals, for processes of a finite population."
    )
    beta: float = Field(1.0, ge=0, le=10**9, description="Strength of selection, by which payoffs are multiplied.")
    mutation: Annotated[Mutation | None, BeforeValidator(_parse_mutation), Display("small|P", default="small")] = Field(
        None,
        description="The probability of a mutation. With 'small', at most one kind of mutant is present at a time.",
    )
    structure: Annotated[Any, Display("well-mixed|ring|lattice|FILE", default="well-mixed")] = Field(
        None, description="Which individuals meet each other; FILE contains the edges of a graph."
    )
    agents: bool = Field(
        False,
        description="Let every individual play its own games, without a payoff table; for groups whose table "
        "would be too large.",
    )
    group_size: Annotated[int | None, Display(alias="seats")] = Field(
        None, ge=1, description="Seats of a game; by default 4, or the nearest number that the game allows."
    )
    unit: float = Field(
        1.0,
        ge=1e-9,
        le=10**9,
        description="Divide payoffs by this; the effective selection strength is beta divided by it.",
    )
    steps: int | None = Field(None, ge=1, le=10**9, description="Number of steps of the dynamics or of the simulation.")
    rate: float = Field(0.1, ge=1e-9, le=1000, description="The step size of the dynamics.")
    start: Annotated[Any, BeforeValidator(_parse_start), Display("NAME=SHARE", many=True)] = Field(
        None, description="The initial share of a player; repeatable. By default, all shares are equal."
    )
    runs: int = Field(40, ge=2, le=100_000, description="Number of runs of a simulation.")
    resamples: Annotated[int | None, Display(default="100")] = Field(
        None,
        ge=0,
        le=MAX_RESAMPLES,
        description="Number of resampled payoff tables for intervals; with 0 there are no intervals.",
    )
    table: PayoffTable | None = Field(None, description="A payoff table, for programs.")
    output: Annotated[Path | None, Display("DIR", short="o")] = Field(
        None, description="Write a page with its charts and tables to this folder."
    )
    relations = (excludes("matrix", "from_", "table"),)

    def model_of(self) -> PopulationModel:
        """Return the process with its parameters. Missing parameters get their defaults."""
        return PopulationModel(
            self.process,
            DEFAULT_POPULATION if self.population is None else self.population,
            self.beta,
            "small" if self.mutation is None else self.mutation,
            self.steps,
            self.rate,
            self.runs,
            DEFAULT_RESAMPLES if self.resamples is None else self.resamples,
            self.unit,
        )


@verb("evolve", game=DEFAULT_GAME, optional_game=True)
def evolve(
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    store: str | None,
    settings: EvolveSettings,
    reporter: Reporter = SILENT,
) -> Finding:
    """Let players evolve, and show which take over from others and which hold the population in the long run."""
    _check_process(settings)
    if isinstance(settings.mutation, float):
        check_mutation(settings.mutation)
    seed = seed_or_random(settings.seed)
    source = source_without_game(settings, game, rules, store, ("group_size", "games", "workers", "exclude"))
    if settings.agents:
        if source is not None:
            raise InputError(
                f"{field('agents')} needs a game to play; a matrix, an experiment or a payoff table has none"
            )
        finding = describe(_run_agents(game, rules, settings, seed, reporter))
    else:
        source = source or _play(game, rules, settings, seed, reporter)
        finding = describe(_run_table(source, settings, seed))
    return finding if settings.output is None else _with_page(finding, settings.output, reporter)


def _check_process(settings: EvolveSettings) -> None:
    """Raise InputError for settings that would have no effect."""
    given = settings.model_fields_set
    for name in ("population", "mutation", "structure"):
        if settings.process in DYNAMICS and name in given and getattr(settings, name) is not None:
            raise InputError(f"the population of {settings.process} is infinite; leave out {field(name)}")
    for name in ("games", "workers", "resamples"):
        if settings.agents and name in given and getattr(settings, name) is not None:
            raise InputError(f"{field('agents')} uses no payoff table; leave out {field(name)}")


def _with_page(finding: Finding, folder: Path, reporter: Reporter) -> Finding:
    with reporter.bar("charts", len(finding.charts), "charts") as advance:
        page = imported("ostrom.findings.pictures:write_page")(finding, folder, "Evolution", lambda name: advance())
    line = f"{page.charts} charts and {page.tables} tables: open {page.page}"
    return replace(finding.with_facts(page=str(page.page)), sentences=[line])


def _run_table(source: Source, settings: EvolveSettings, seed: int) -> Evolution:
    """Run the process on a payoff table."""
    model = settings.model_of()
    structure = WELL_MIXED if settings.structure is None else settings.structure
    table = source.table if model.unit == 1 else source.table.scaled(model.unit)
    shares = _shares(settings.start, table.players)
    graph = None if structure == WELL_MIXED else structure_of(structure, model.population, table.seats)
    if graph is not None:
        model = model.on(graph)
    if model.finite:
        check_population(model.population, table.seats)
    pairs = model.finite and model.mutation == "small" and graph is None
    if table.samples is not None and not table.groups.whole:
        table = completed(table, (Groups.pairs_of if pairs else Groups.all_of)(table.players, table.seats))
    outcome: ProcessTables = run_process(table, model, shares, graph, seed)
    misfit = table.misfit if isinstance(table, FittedTable) else None
    paid = pl.DataFrame(list(source.table.rows()), infer_schema_length=None)
    notes = [part for part in (source.used, outcome.note, note_of(table)) if part]
    note = ". ".join([*notes[:1], *(part[0].upper() + part[1:] for part in notes[1:])])
    return Evolution(source, model, seed, {**outcome.tables, "payoffs": paid}, outcome.what, note, misfit)


def _shares(start: Sequence[float] | Mapping[str, float] | None, players: Sequence[str]) -> Floats:
    """Return the initial shares in the order of the players. Players without a given share get 0."""
    if isinstance(start, Mapping):
        unknown = [name for name in start if name not in players]
        if unknown:
            raise InputError(f"{field('start')} names {unknown[0]}, who is not among the players: {', '.join(players)}")
        start = [start.get(name, 0.0) for name in players]
    return check_shares(start, len(players))


def _run_agents(
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    settings: EvolveSettings,
    seed: int,
    reporter: Reporter,
) -> Evolution:
    game = find_game(game or DEFAULT_GAME)
    entries = chosen_strategies(game, settings, reporter)
    names = tuple(entry.name for entry in entries)
    seats = group_seats(game, settings.group_size)
    structure = WELL_MIXED if settings.structure is None else settings.structure
    model = settings.model_of()
    graph = None if structure == WELL_MIXED else structure_of(structure, model.population, seats)
    model = replace(model if graph is None else model.on(graph), agents=True)
    shares = _shares(settings.start, names)
    all_rules = make_rules(game, rules)
    population = Agents(game, all_rules, tuple(entries), seats, model.population, seed, graph)
    with reporter.bar("generations", settings.steps, "generations") as advance:
        outcome = run_agents(population, model, shares, advance)
    groups = Groups(names, seats, np.zeros((0, len(entries)), dtype=np.int64))
    source = Source(PayoffTable.empty(groups), game.title, game.unit, slow_players(game, entries), game, all_rules)
    return Evolution(source, model, seed, outcome.tables, outcome.what, outcome.note)


def _play(
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    settings: EvolveSettings,
    seed: int,
    reporter: Reporter,
) -> Source:
    """Play the groups whose payoffs the process needs, and return the payoff table."""
    game = find_game(game or DEFAULT_GAME)
    entries = chosen_strategies(game, settings, reporter)
    model = settings.model_of()
    well_mixed = settings.structure in (None, WELL_MIXED)
    pairs = model.finite and model.mutation == "small" and well_mixed
    # Validate before playing.
    groups = groups_of(game, [entry.name for entry in entries], settings.group_size, pairs=pairs)
    if not well_mixed:
        structure_of(settings.structure, model.population, groups.seats)
    elif model.finite:
        check_population(model.population, groups.seats)
    games = DEFAULT_GAMES if settings.games is None else settings.games
    with reporter.bar("games", len(groups) * games) as advance:
        return of_game(
            game,
            entries,
            seats=settings.group_size,
            pairs=pairs,
            games=games,
            seed=seed,
            rules=rules,
            workers=settings.workers,
            files=files(),
            progress=advance,
        )
