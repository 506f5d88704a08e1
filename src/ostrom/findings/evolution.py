"""`ostrom.evolve`: who survives. A payoff table goes in; what a process makes of it comes out as tables with intervals
that carry the table's uncertainty, as charts and as a page."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import polars as pl
from pydantic import BaseModel

from ostrom.charts import render
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.evolution import (
    alpha_lines,
    fixation_map,
    invasion_graph,
    long_run_bars,
    selection_gradient,
    trajectories,
)
from ostrom.charts.families import Cast
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.charts.simplex import simplex
from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.findings.equilibria import GAMES, check_brought
from ostrom.findings.evolution_tables import Found, Settings, found_by, found_by_agents
from ostrom.findings.payoff_sources import Source, group_seats, groups_of, of_experiment, of_file, of_game
from ostrom.players.roster import Seated, names_of, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.agents import Agents
from ostrom.sim.evolution import DYNAMICS, Dynamics, check_shares
from ostrom.sim.finite_populations import Process, check_mutation
from ostrom.sim.fitted_payoffs import completed, said_of
from ostrom.sim.payoffs import MOST_RESAMPLES, Floats, Groups, PayoffTable, check_population
from ostrom.sim.structured import WELL_MIXED, Structure, structure_of

AnyProcess: TypeAlias = Dynamics | Process
PROCESSES: tuple[str, ...] = (*get_args(Dynamics), *get_args(Process))
Mutation: TypeAlias = float | Literal["small"]
POPULATION: Final = 100
"""Individuals, where nobody says how many."""
RESAMPLES: Final = 100
"""Payoff tables drawn anew, where nobody says how many."""

HEADINGS: Mapping[str, str] = {
    "shares": "The long run",
    "trajectory": "Over time",
    "simplex": "Where shares go",
    "gradient": "Gradient of selection",
    "invasions": "Who takes over from whom",
    "fixations": "Fixation probabilities",
    "alpha": "α-rank",
}


@dataclass(frozen=True, repr=False)
class Evolution:
    """What a process made of a payoff table."""

    source: Source
    settings: Settings
    seed: int
    tables: Mapping[str, pl.DataFrame]
    """The tables by name; `shares` is what `to_frame` gives."""
    what: str
    """What shares are of: the `time`, where all are alike most of it, or the `population`."""
    note: str = ""

    @property
    def payoffs(self) -> PayoffTable:
        """What each player earns in each group."""
        return self.source.table

    @property
    def certain(self) -> bool:
        """Whether nothing in it is uncertain."""
        return self.payoffs.certain and "simulated" not in self.note and not self.settings.agents

    @cached_property
    def _cast(self) -> Cast:
        return Cast.of(self.payoffs.players, built_in=self.payoffs.players)

    @property
    def charts(self) -> list[str]:
        """The names of its charts."""
        there = {*self.tables, *(["simplex"] if "flow" in self.tables else [])}
        there |= {"invasions"} if "fixations" in self.tables else set()
        return [name for name in HEADINGS if name in there]

    def chart(self, name: str = "shares") -> render.AnyChart:
        """One of its charts, by name."""
        if name not in self.charts:
            raise InputError(f"there is no chart {name!r} of this process; there are {', '.join(self.charts)}")
        tables, cast, names = self.tables, self._cast, self.payoffs.players
        population = self.settings.population
        if name == "shares":
            return long_run_bars(tables["shares"], cast, what=self.what, certain=self.certain)
        if name == "trajectory":
            runs = "runs" in self.note
            return trajectories(tables[name], cast, clock=tables[name].columns[0], over_runs=runs)
        if name == "simplex":
            return simplex(tables["flow"], tables["rest_points"], [cast.label(one) for one in names])
        if name == "gradient":
            return selection_gradient(tables[name], (cast.label(names[0]), cast.label(names[1])))
        if name == "invasions":
            return invasion_graph(tables["fixations"], tables["shares"], cast, population=population)
        if name == "fixations":
            return fixation_map(tables[name], cast, names, population=population)
        return alpha_lines(tables["alpha"], cast, at=self.settings.strength)

    def to_frame(self) -> pl.DataFrame:
        """The share of each player in the long run, with its interval."""
        return self.tables["shares"]

    def as_record(self) -> dict[str, Any]:
        """The result as plain data."""
        told = {name: frame.to_dicts() for name, frame in self.tables.items() if name not in ("flow", "payoffs")}
        return {
            "source": self.source.title,
            "players": list(self.payoffs.players),
            "group_size": self.payoffs.seats,
            "seed": self.seed,
            **self.settings.as_record(),
            "compositions": len(self.payoffs.groups),
            "games": int(self.payoffs.games.sum()),
            "plain_python": list(self.source.slow),
            "shares_of": self.what,
            "note": self.note,
            **told,
        }

    @property
    def facts(self) -> str:
        """In a sentence or two, what was done."""
        games = int(self.payoffs.games.sum())
        played = f"{games:,} games of {len(self.payoffs.groups):,} compositions" if games else "exact payoffs"
        played = "who play for themselves" if self.settings.agents else played
        return f"{len(self.payoffs.players)} players in groups of {self.payoffs.seats}, {played}. {self.settings.said}"

    def write(self, folder: Path, progress: Callable[[str], None] = lambda name: None) -> WrittenReport:
        """Write a page with all charts, the pictures and the tables into a folder."""
        charts = {name: self.chart(name) for name in self.charts}
        figures = [
            ReportFigure(name, HEADINGS[name], render.embedded(chart), table=table_of(name))
            for name, chart in charts.items()
        ]
        short = [f"{figure.chart.title}." for figure in figures]
        page = ReportPage(
            f"{self.source.title}: evolution", self.facts, short, [Block("evolution", "Evolution", figures)]
        )
        return page.write(folder, charts, self.tables, progress)

    def __repr__(self) -> str:
        first = self.tables["shares"].sort("value", descending=True).row(0, named=True)
        size = len(self.payoffs.players)
        return f"<Evolution of {size} players, {self.settings.process}: {first['player']} {100 * first['value']:.1f} %>"

    def _repr_html_(self) -> str:
        made: str = self.tables["shares"]._repr_html_()
        return made


def table_of(chart: str) -> str:
    """The table that a chart draws."""
    return {"invasions": "fixations", "simplex": "flow"}.get(chart, chart)


def evolve(
    game: str | Game | None = None,
    players: Sequence[Seated] = (),
    *,
    matrix: str | Path | None = None,
    experiment: str | None = None,
    table: PayoffTable | None = None,
    process: str = "fermi",
    population: int | None = None,
    beta: float = 1.0,
    mutation: Mutation | None = None,
    structure: str | Path | Structure | None = None,
    agents: bool = False,
    group_size: int | None = None,
    games: int | None = None,
    unit: float = 1.0,
    steps: int | None = None,
    rate: float = 0.1,
    start: Sequence[float] | Mapping[str, float] | None = None,
    runs: int = 40,
    resamples: int | None = None,
    seed: int = 0,
    rules: Mapping[str, Any] | BaseModel | None = None,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    files: Sequence[Path] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> Evolution:
    """Let players evolve by what they earn: strategies of a game, which are played for it, the players of an
    `experiment` in the journal, or those of a `matrix` in a file or of a payoff `table`. Payoffs are divided by `unit`
    and scaled by `beta`. `agents` of a game play for themselves, and no table is made: for groups whose table would be
    too large. Where nothing else is said, a `population` has 100 individuals, is well mixed and has a small `mutation`,
    and payoff tables are drawn anew 100 times."""
    check_process(process, population=population, mutation=mutation, structure=structure)
    if agents:
        check_agents(games=games, workers=workers, resamples=resamples)
    structure = WELL_MIXED if structure is None else structure
    settings = _settings(
        process,
        POPULATION if population is None else population,
        beta,
        "small" if mutation is None else mutation,
        steps,
        rate,
        runs,
        RESAMPLES if resamples is None else resamples,
        unit,
    )
    check_seed(seed)
    given = [name for name, value in (("a game", game), ("a matrix", matrix), ("an experiment", experiment)) if value]
    if len(given) + (table is not None) > 1:
        raise InputError(f"payoffs come from one source, not from {' and '.join(given) or 'several'}")
    if agents:
        if matrix is not None or experiment is not None or table is not None:
            raise InputError("agents play a game; a matrix, an experiment or a table has none")
        return _by_agents(game or DEFAULT_GAME, players, group_size, settings, structure, start, seed, rules, progress)
    check_brought(matrix, experiment, table, players, group_size=group_size, games=games, rules=rules, workers=workers)
    if matrix is not None:
        source = of_file(Path(matrix))
    elif experiment is not None:
        source = of_experiment(experiment, None if store is None else os.fspath(store), names_of(players))
    elif table is not None:
        source = Source(table, "payoff table")
    else:
        kind, often = game or DEFAULT_GAME, GAMES if games is None else games
        source = _played(kind, players, group_size, settings, structure, often, seed, rules, workers, files, progress)
    return evolve_table(source, settings, structure=structure, start=start, seed=seed)


def check_process(process: str, **of_populations: object) -> None:
    """Refuse settings of a finite population where there is none: they would have no effect."""
    if process in DYNAMICS:
        _leave_out(of_populations, f"the population of {process} is endless")


def check_agents(**of_tables: object) -> None:
    """Refuse settings of payoff tables where agents play for themselves: none is made."""
    _leave_out(of_tables, "agents make no payoff table")


def _leave_out(settings: Mapping[str, object], why: str) -> None:
    for name, given in settings.items():
        if given is not None:
            raise InputError(f"{why}; leave out --{name}")


def evolve_table(
    source: Source,
    settings: Settings,
    *,
    structure: str | Path | Structure = WELL_MIXED,
    start: Sequence[float] | Mapping[str, float] | None = None,
    seed: int = 0,
) -> Evolution:
    """What a process makes of a payoff table."""
    table = source.table if settings.unit == 1 else source.table.scaled(settings.unit)
    shares = _shares(start, table.players)
    graph = None if structure == WELL_MIXED else structure_of(structure, settings.population, table.seats)
    if graph is not None:
        settings = settings.on(graph)
    if settings.finite:
        check_population(settings.population, table.seats)
    pairs = settings.finite and settings.mutation == "small" and graph is None
    if table.samples is not None and not table.groups.whole:
        table = completed(table, (Groups.pairs_of if pairs else Groups.all_of)(table.players, table.seats))
    found: Found = found_by(table, settings, shares, graph, seed)
    paid = pl.DataFrame(list(source.table.rows()), infer_schema_length=None)
    note = "; ".join(filter(None, [found.note, said_of(table)]))
    return Evolution(source, settings, seed, {**found.tables, "payoffs": paid}, found.what, note)


def _shares(start: Sequence[float] | Mapping[str, float] | None, players: Sequence[str]) -> Floats:
    """The shares to start from, in the order of the players; those who are not named have none."""
    if isinstance(start, Mapping):
        strange = [name for name in start if name not in players]
        if strange:
            raise InputError(
                f"a start names {strange[0]}, who does not take part; those who do are {', '.join(players)}"
            )
        start = [start.get(name, 0.0) for name in players]
    return check_shares(start, len(players))


MOST_INDIVIDUALS: Final = 1_000_000
"""Of a finite population: beyond so many it is as good as infinite, for which there are processes of their own."""


def _settings(
    process: str,
    population: int,
    beta: float,
    mutation: Mutation,
    steps: int | None,
    rate: float,
    runs: int,
    resamples: int,
    unit: float,
) -> Settings:
    if process not in PROCESSES:
        raise InputError(f"there is no process {process!r}; there are {', '.join(PROCESSES)}")
    for name, number, least, most in (
        ("number of individuals", population, 2, MOST_INDIVIDUALS),
        ("strength of selection", beta, 0, 1e9),
        ("unit of payoffs", unit, 1e-9, 1e9),
        ("rate", rate, 1e-9, 1e3),
        ("number of runs", runs, 2, 100_000),
        ("number of resamples", resamples, 0, MOST_RESAMPLES),
        ("number of steps", steps, 1, 10**9),
    ):
        if number is not None and not least <= number <= most:
            raise InputError(f"the {name} must be from {least:,.10g} to {most:,.10g}, got {number}")
    if mutation != "small":
        check_mutation(mutation)
    return Settings(process, population, beta, mutation, steps, rate, runs, resamples, unit)


def _entries(game: str | Game, players: Sequence[Seated]) -> tuple[Game, list[StrategyEntry]]:
    """The game, and the strategies of it that are meant."""
    game = find_game(game)
    return game, strategies_of(game, players or None)


def _by_agents(
    game: str | Game,
    players: Sequence[Seated],
    group_size: int | None,
    settings: Settings,
    structure: str | Path | Structure,
    start: Sequence[float] | Mapping[str, float] | None,
    seed: int,
    rules: Mapping[str, Any] | BaseModel | None,
    progress: Callable[[int], None],
) -> Evolution:
    game, entries = _entries(game, players)
    seats = group_seats(game, group_size)
    groups = Groups(tuple(entry.name for entry in entries), seats, np.zeros((0, len(entries)), dtype=np.int64))
    graph = None if structure == WELL_MIXED else structure_of(structure, settings.population, seats)
    settings = replace(settings if graph is None else settings.on(graph), agents=True)
    shares = _shares(start, [entry.name for entry in entries])
    population = Agents(game, make_rules(game, rules), tuple(entries), seats, settings.population, seed, graph)
    found = found_by_agents(population, settings, shares, progress)
    slow = tuple(entry.name for entry in entries if entry.rows is None or game.step is None)
    source = Source(PayoffTable.empty(groups), game.title, game.unit, slow, game, make_rules(game, rules))
    return Evolution(source, settings, seed, found.tables, found.what, found.note)


def _played(
    game: str | Game,
    players: Sequence[Seated],
    group_size: int | None,
    settings: Settings,
    structure: str | Path | Structure,
    games: int,
    seed: int,
    rules: Mapping[str, Any] | BaseModel | None,
    workers: int | None,
    files: Sequence[Path],
    progress: Callable[[int], None],
) -> Source:
    game, entries = _entries(game, players)
    pairs = settings.finite and settings.mutation == "small" and structure == WELL_MIXED
    # What cannot be is refused before anything is played.
    seats = groups_of(game, [entry.name for entry in entries], group_size, pairs=pairs).seats
    if structure != WELL_MIXED:
        structure_of(structure, settings.population, seats)
    elif settings.finite:
        check_population(settings.population, seats)
    return of_game(
        game,
        entries,
        seats=group_size,
        pairs=pairs,
        games=games,
        seed=seed,
        rules=rules,
        workers=workers,
        files=files,
        progress=progress,
    )
