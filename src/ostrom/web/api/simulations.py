"""Simulations of the journal: what was found, its charts and tables, and its games, each played when it is opened."""

from typing import Annotated, Any

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.charts import render
from ostrom.core import InputError
from ostrom.experiment import record_of
from ostrom.findings.keeping import OPENINGS
from ostrom.findings.simulations import KeptSimulation
from ostrom.journal.record import GameRecord, record_text, with_tellings
from ostrom.web.api.charts import CONFIG, Chart, chart_of
from ostrom.web.api.experiments import Experiment
from ostrom.web.api.studies import Offset
from ostrom.web.api.tables import TablePage, page_of_table
from ostrom.web.replies import Shape, address_of, reply_of_ended, sent, service_of
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


class Simulation(Shape):
    """What a simulation found."""

    what: str
    """'tournament', 'sweep', 'evolution', 'response', 'exploitability' or 'design'."""
    title: str
    facts: str
    command: str | None
    """What was typed; missing where a program made it."""
    version: str | None
    game: str | None
    """What records call the game; missing where payoffs came from a file."""
    rules: dict[str, Any]
    seed: str
    """As text: a browser's numbers do not hold every seed."""
    config: dict[str, Any]
    """The Vega-Lite configuration of its charts; its inks are `currentColor`."""
    charts: list[SimulationChart]
    tables: list[SimulationTable]
    openings: int
    """How many points, tables or candidates open as games."""
    left_out: list[str]
    """Charts and tables that were too large for the journal."""


class Opening(Shape):
    """Games that can be opened: a point of a sweep, a table of a tournament, a candidate of a design."""

    opening: int
    label: str
    games: int
    """How many it has, numbered from 0."""


class OpeningPage(Shape):
    """Some of the games that can be opened."""

    openings: list[Opening]
    total: int
    offset: int


def _kept(service: Service, experiment: str) -> KeptSimulation:
    found = KeptSimulation.of(service.journal, experiment)
    if found is None:
        raise InputError(f"{experiment} is not a simulation; see /api/experiments")
    return found


def simulation_detail(service: Service, experiment: str) -> Simulation:
    """What a simulation found, without its charts and tables themselves."""
    found = _kept(service, experiment)
    told = found.told
    tables = [
        SimulationTable(name=name, rows=shape.rows, columns=shape.columns) for name, shape in found.shapes().items()
    ]
    command, version = found.made.get("command"), found.made.get("version")
    return Simulation(
        **{name: str(told.get(name)) for name in ("what", "title", "facts", "seed")},
        command=None if command is None else str(command),
        version=None if version is None else str(version),
        game=None if told.get("game") is None else str(told["game"]),
        rules=found.rules,
        config=CONFIG,
        charts=[SimulationChart(name=one["name"], heading=one["heading"]) for one in found.charts],
        tables=tables,
        openings=next((one.rows for one in tables if one.name == OPENINGS), 0),
        left_out=found.left_out,
    )


def simulation_chart(service: Service, experiment: str, name: str) -> Chart:
    """One chart of a simulation."""
    found = _kept(service, experiment)
    made = render.embedded(found.chart(name))
    heading = next(one["heading"] for one in found.charts if one["name"] == name)
    return chart_of(name, heading, made, "", found.source)


def simulation_table(service: Service, experiment: str, name: str, offset: int, limit: int) -> TablePage:
    """Some rows of a table of a simulation."""
    return page_of_table(name, _kept(service, experiment).table(name), offset, limit)


def opening_page(service: Service, experiment: str, offset: int, limit: int, search: str) -> OpeningPage:
    """Some of the games that can be opened."""
    found = _kept(service, experiment)
    if OPENINGS not in found.tables:
        return OpeningPage(openings=[], total=0, offset=offset)
    rows = found.table(OPENINGS).select("opening", "label", "games")
    if search:
        rows = rows.filter(pl.col("label").str.to_lowercase().str.contains(search.lower(), literal=True))
    shown = [Opening(**row) for row in rows.slice(offset, limit).iter_rows(named=True)]
    return OpeningPage(openings=shown, total=rows.height, offset=offset)


router = APIRouter(prefix="/experiments/{experiment}", tags=["simulations"])

Name = Annotated[str, Path(max_length=100)]


@router.get("/simulation", response_model=Simulation)
async def simulation(request: Request, experiment: Experiment) -> Response:
    """What a simulation found: words, charts and tables by name."""
    return await reply_of_ended(request, simulation_detail, experiment)


@router.get("/charts/{name}", response_model=Chart)
async def chart(request: Request, experiment: Experiment, name: Name) -> Response:
    """One chart of a simulation: its words, and its Vega-Lite specification."""
    return await reply_of_ended(request, simulation_chart, experiment, name)


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    experiment: Experiment,
    name: Name,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Some rows of a table of a simulation. Numbers that are not finite are null."""
    return await reply_of_ended(request, simulation_table, experiment, name, offset, limit)


@router.get("/openings", response_model=OpeningPage)
async def openings(
    request: Request,
    experiment: Experiment,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    search: Annotated[str, Query(max_length=200, description="Only those whose label holds this text.")] = "",
) -> Response:
    """The games of a simulation that can be opened: points, tables or candidates."""
    return await reply_of_ended(request, opening_page, experiment, offset, limit, search)


@router.get("/openings/{opening}/record", response_model=GameRecord)
async def record(
    request: Request,
    experiment: Experiment,
    opening: Annotated[int, Path(ge=0, le=10**9)],
    number: Annotated[int, Query(ge=0, le=10**9, description="Which of its games, from 0.")] = 0,
) -> Response:
    """A game of a simulation, played now with every turn: the same, to the last bit, as in the simulation where that
    says which game it was."""
    service, name = service_of(request), address_of(request.scope)

    def make() -> bytes:
        match = _kept(service, experiment).open(opening, number)
        return record_text(with_tellings(record_of(match))).encode()

    return sent(request, await service.studies.answers.answer(name, make, slow=True))
