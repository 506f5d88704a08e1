"""Simulations in the journal: their results, charts and tables, and their games. A game is played only when it is
opened."""

from typing import Annotated, Any

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.charts import render
from ostrom.core import InputError
from ostrom.experiment import record_of
from ostrom.findings.keeping import OPENINGS, StoredSimulation
from ostrom.journal.record import GameRecord, record_text, with_tellings
from ostrom.web.api.charts import CONFIG, Chart, chart_of
from ostrom.web.api.experiments import Experiment
from ostrom.web.api.studies import Offset
from ostrom.web.api.tables import TablePage, page_of_table
from ostrom.web.replies import Shape, address_of, reply_of_ended, send_body, service_of
from ostrom.web.service import Service


class SimulationChart(Shape):
    """A chart of a simulation."""

    name: str
    heading: str


class SimulationTable(Shape):
    """A table of a simulation."""

    name: str
    rows: int
    columns: list[str]


class SimulationDetail(Shape):
    """The results of a simulation."""

    what: str
    """The kind of simulation: 'tournament', 'sweep', 'evolution', 'response', 'exploitability' or 'design'."""
    title: str
    facts: str
    command: str | None
    """The command line that ran the simulation; missing if a program created it."""
    version: str | None
    game: str | None
    """The game's name in records; missing if payoffs came from a file."""
    rules: dict[str, Any]
    seed: str
    """The seed as text, because a browser's numbers cannot represent every seed."""
    config: dict[str, Any]
    """The Vega-Lite configuration of its charts; its colours are `currentColor`."""
    charts: list[SimulationChart]
    tables: list[SimulationTable]
    openings: int
    """The number of points, tables or candidates whose games can be opened."""
    left_out: list[str]
    """The charts and tables that were too large for the journal."""


class SimulationOpening(Shape):
    """Games that can be opened: a point of a sweep, a table of a tournament, or a candidate of a design."""

    opening: int
    label: str
    games: int
    """The number of games. They are numbered from 0."""


class OpeningPage(Shape):
    """Some of the games that can be opened."""

    openings: list[SimulationOpening]
    total: int
    offset: int


def _simulation(service: Service, experiment: str) -> StoredSimulation:
    simulation = StoredSimulation.of(service.journal, experiment)
    if simulation is None:
        raise InputError(f"{experiment} is not a simulation; see /api/experiments")
    return simulation


def simulation_detail(service: Service, experiment: str) -> SimulationDetail:
    """Return the results of a simulation, without the contents of charts and tables."""
    simulation = _simulation(service, experiment)
    facts = simulation.description
    tables = [
        SimulationTable(name=name, rows=shape.rows, columns=shape.columns)
        for name, shape in simulation.shapes().items()
    ]
    command, version = simulation.provenance.get("command"), simulation.provenance.get("version")
    return SimulationDetail(
        **{name: str(facts.get(name)) for name in ("what", "title", "facts", "seed")},
        command=None if command is None else str(command),
        version=None if version is None else str(version),
        game=None if facts.get("game") is None else str(facts["game"]),
        rules=simulation.rules,
        config=CONFIG,
        charts=[SimulationChart(name=chart["name"], heading=chart["heading"]) for chart in simulation.charts],
        tables=tables,
        openings=next((table.rows for table in tables if table.name == OPENINGS), 0),
        left_out=simulation.left_out,
    )


def simulation_chart(service: Service, experiment: str, name: str) -> Chart:
    """Return one chart of a simulation."""
    simulation = _simulation(service, experiment)
    embedded = render.embedded(simulation.chart(name))
    heading = next(entry["heading"] for entry in simulation.charts if entry["name"] == name)
    return chart_of(name, heading, embedded, "", simulation.source)


def simulation_table(service: Service, experiment: str, name: str, offset: int, limit: int) -> TablePage:
    """Return some rows of a table of a simulation."""
    return page_of_table(name, _simulation(service, experiment).table(name), offset, limit)


def opening_page(service: Service, experiment: str, offset: int, limit: int, search: str) -> OpeningPage:
    """Return some of the games that can be opened."""
    simulation = _simulation(service, experiment)
    if OPENINGS not in simulation.tables:
        return OpeningPage(openings=[], total=0, offset=offset)
    rows = simulation.table(OPENINGS).select("opening", "label", "games")
    if search:
        rows = rows.filter(pl.col("label").str.to_lowercase().str.contains(search.lower(), literal=True))
    openings = [SimulationOpening(**row) for row in rows.slice(offset, limit).iter_rows(named=True)]
    return OpeningPage(openings=openings, total=rows.height, offset=offset)


router = APIRouter(prefix="/experiments/{experiment}", tags=["simulations"])

Name = Annotated[str, Path(max_length=100)]


@router.get("/simulation", response_model=SimulationDetail)
async def simulation(request: Request, experiment: Experiment) -> Response:
    """Return the results of a simulation: texts, and charts and tables by name."""
    return await reply_of_ended(request, simulation_detail, experiment)


@router.get("/charts/{name}", response_model=Chart)
async def chart(request: Request, experiment: Experiment, name: Name) -> Response:
    """Return one chart of a simulation: its texts, and its Vega-Lite specification."""
    return await reply_of_ended(request, simulation_chart, experiment, name)


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    experiment: Experiment,
    name: Name,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return some rows of a table of a simulation. Numbers that are not finite are null."""
    return await reply_of_ended(request, simulation_table, experiment, name, offset, limit)


@router.get("/openings", response_model=OpeningPage)
async def openings(
    request: Request,
    experiment: Experiment,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    search: Annotated[str, Query(max_length=200, description="Only the games with this text in their label.")] = "",
) -> Response:
    """Return the games of a simulation that can be opened, by points, tables or candidates."""
    return await reply_of_ended(request, opening_page, experiment, offset, limit, search)


@router.get("/openings/{opening}/record", response_model=GameRecord)
async def record(
    request: Request,
    experiment: Experiment,
    opening: Annotated[int, Path(ge=0, le=10**9)],
    number: Annotated[int, Query(ge=0, le=10**9, description="The number of the game, from 0.")] = 0,
) -> Response:
    """Return the record of a game of a simulation. The game is played again with all its turns. It is identical to the
    game in the simulation if the simulation stored the game's number."""
    service, name = service_of(request), address_of(request.scope)

    def make() -> bytes:
        match = _simulation(service, experiment).open(opening, number)
        return record_text(with_tellings(record_of(match))).encode()

    return send_body(request, await service.studies.answers.answer(name, make, slow=True))
