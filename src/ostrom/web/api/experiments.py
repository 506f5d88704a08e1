"""The description of the server, and the experiments of its journal with their progress, cost and players."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.charts.palette import DARK
from ostrom.core import Provenance
from ostrom.core.plugins import GAMES
from ostrom.journal.arrange import ARCHIVED, tags_of
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.schema import SIMULATION, TOKEN_FIELDS
from ostrom.journal.spending import ModelCalls
from ostrom.players.people.seat import is_person
from ostrom.players.roster import built_in_names, load_installed
from ostrom.version import VERSION
from ostrom.web.api.games import Limit, Offset
from ostrom.web.api.hosting import SeatLink, seat_links
from ostrom.web.api.steering import BudgetLimits, budget_of
from ostrom.web.replies import Shape, exact, reply, service_of
from ostrom.web.runs import RunState
from ostrom.web.service import Service


class GameKind(Shape):
    """A game that can be started from a page."""

    command: str
    """The name of the game on the command line: 'punish'."""
    name: str
    """The name of the game in records: 'contribute_punish'."""
    title: str
    """The displayed name of the game: 'Contribute & Punish'."""
    summary: str
    fewest_seats: int
    most_seats: int
    usual_seats: int | None
    """The default number of seats; missing if the game has none."""
    players: list[str]
    """The available players. 'human' is always available and not listed."""
    rules: dict[str, Any]
    """The JSON schema of the game's rules, with their defaults."""
    simulated: bool
    """True if many games of it can be simulated at once."""


class PublishedComparison(Shape):
    """The comparison of two experiments in a published site."""

    title: str
    page: str
    """The address of the comparison within the site."""


class LabInfo(Shape):
    """The description of this server."""

    version: str
    journal: str
    """The journal's name, without a password."""
    revision: int
    starts: bool
    """True if games can be started on this server."""
    steers: bool
    """True if benchmarks can be started and experiments can be paused, stopped and resumed on this server."""
    address: str | None
    """The address of the pages in the network; missing if only this machine can reach them."""
    games: list[GameKind]
    inks: dict[str, str]
    """The colour of a player in the dark theme, by its colour in the light theme."""
    comparison: PublishedComparison | None = None
    """The comparison of two experiments; present only in a published site."""


class ModelRow(Shape):
    """The calls of one model in an experiment."""

    model: str
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    """The number of input tokens that the provider read from its cache."""
    cache_write_tokens: int
    """The number of input tokens that the provider wrote to its cache."""
    cost: float | None
    """The cost in dollars; missing if the price is unknown."""
    mean_latency: float | None
    faults: dict[str, int]


class ExperimentItem(Shape):
    """An experiment and its progress."""

    id: str
    name: str
    kind: str
    """The kind of the experiment: the command of its game, or 'battery', 'audit', 'mixed', …"""
    created: str
    state: Literal["unfinished", "open", "finished"]
    running: bool
    """True if this server is playing the experiment now."""
    planned: int | None
    finished: int
    playing: int
    void: int
    answers: int
    events: int
    defaulted: int
    repaired: int
    cost: float | None
    """The total cost in dollars; missing if no model was called or a price is unknown."""
    players: list[str]
    about: str | None
    """The description of a simulation, whose games are not stored."""
    tags: list[str]
    archived: bool
    """True if the experiment is hidden from lists and leaderboards."""


class Suspension(Shape):
    """The reason why games of an experiment are suspended."""

    reason: str
    """The reason as stored. For a failing model, it is the error of its last call."""
    games: int


class CurrentRun(Shape):
    """A run that this server started."""

    state: RunState
    told: list[str]
    """The last messages of the run: its warnings, and the reason why it ended."""


class BudgetUse(Shape):
    """The budget of an experiment, and the amounts that the experiment has used."""

    budget: float | None
    """The budget in dollars; missing if unlimited."""
    token_budget: int | None
    dollars: float
    tokens: int
    out: int
    """The number of calls without a reply. They are in flight, or a run was killed before their reply arrived."""


class ExperimentDetail(ExperimentItem):
    """An experiment without its games."""

    settings: dict[str, Any]
    """The settings of the experiment. Whole numbers above 2⁵³, such as seeds, are text. Seeds are left out until all
    games of the experiment are over."""
    models: list[ModelRow]
    runs: int
    seats: list[SeatLink]
    """The links for the people in the experiment, if this server is playing it."""
    suspended: list[Suspension]
    run: CurrentRun | None
    """The latest run that this server started."""
    account: BudgetUse | None
    """The budget of the experiment; missing if it uses no models."""


class ExperimentPage(Shape):
    """Some of the experiments, the newest first."""

    experiments: list[ExperimentItem]
    total: int
    offset: int
    archived: int
    """The number of archived experiments, which are listed only on request."""


def lab_info(service: Service) -> LabInfo:
    """Return the description of this server and the games that can be started from its pages."""
    load_installed()
    kinds = [
        GameKind(
            **{name: getattr(game, name) for name in ("command", "name", "title", "summary")},
            fewest_seats=game.seats.fewest,
            most_seats=game.seats.most,
            usual_seats=game.seats.usual,
            players=built_in_names(game.name),
            rules=game.rules.model_json_schema(),
            simulated=game.step is not None,
        )
        for game in GAMES.values()
        if not game.instrument
    ]
    return LabInfo(
        version=VERSION,
        journal=service.journal.label,
        revision=service.journal.revision(),
        starts=service.starts,
        steers=service.runs is not None,
        address=service.address,
        games=kinds,
        inks=DARK,
    )


def experiment_page(
    service: Service, running: Collection[str], offset: int, limit: int, archived: bool
) -> ExperimentPage:
    """Return some of the experiments, the newest first. They are either the archived experiments or all others."""
    rows, players_by_experiment = service.journal.pages.experiments()[::-1], service.journal.pages.seated()
    archived_count = sum(map(_is_archived, rows))
    rows = [row for row in rows if _is_archived(row) is archived]
    items = [
        ExperimentItem(**_item(row, players_by_experiment.get(row.id, ()), running))
        for row in rows[offset : offset + limit]
    ]
    return ExperimentPage(experiments=items, total=len(rows), offset=offset, archived=archived_count)


def experiment_detail(
    service: Service, experiment: str, running: Collection[str], seats: list[SeatLink], run: CurrentRun | None
) -> ExperimentDetail:
    """Return one experiment by its id."""
    pages = service.journal.pages
    row = next(row for row in pages.experiments() if row.id == experiment)
    item, models = _item(row, pages.seated().get(row.id, ()), running), [_model(model) for model in row.models]
    return ExperimentDetail(
        **item,
        settings=exact(row.public_settings),
        models=models,
        runs=row.runs,
        seats=seats,
        suspended=[Suspension(reason=reason, games=games) for reason, games in row.suspended.items()],
        run=run,
        account=_budget_use(service, row),
    )


def _budget_use(service: Service, row: ExperimentRow) -> BudgetUse | None:
    limits = budget_of(service.journal, row)
    models = [model for model in row.models if not is_person(model.model)]
    if not models and not row.out.unsettled and limits == BudgetLimits():
        return None
    spending = service.journal.spending(row.id)
    return BudgetUse(
        budget=limits.budget,
        token_budget=limits.token_budget,
        dollars=spending.dollars,
        tokens=spending.tokens,
        out=row.out.unsettled,
    )


def _is_archived(row: ExperimentRow) -> bool:
    return row.settings.get(ARCHIVED) is True


def _item(row: ExperimentRow, players: Sequence[str], running: Collection[str]) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in ExperimentItem.model_fields if hasattr(row, name)},
        "running": row.id in running,
        "finished": row.games,
        "defaulted": row.provenance.get(Provenance.DEFAULTED, 0),
        "repaired": row.provenance.get(Provenance.REPAIRED, 0),
        "cost": _cost(row.models),
        "players": list(players),
        "about": _about(row),
        "tags": tags_of(row.settings),
        "archived": _is_archived(row),
    }


def _about(row: ExperimentRow) -> str | None:
    description = row.settings.get(SIMULATION) if row.kind == SIMULATION else None
    facts = description.get("facts") if isinstance(description, dict) else None
    return facts if isinstance(facts, str) and facts else None


def _cost(models: Sequence[ModelCalls]) -> float | None:
    """Return the total dollars; None if no model was called or a price is unknown. People are in the list of models,
    but have no cost."""
    models = [model for model in models if not is_person(model.model)]
    if not models or any(model.unpriced for model in models):
        return None
    return sum(model.cost for model in models)


def _model(model: ModelCalls) -> ModelRow:
    return ModelRow(
        **{name: getattr(model, name) for name in ("model", "calls", *TOKEN_FIELDS)},
        failed=sum(model.faults.values()),
        cost=None if model.unpriced or is_person(model.model) else model.cost,
        mean_latency=model.latency if model.calls else None,
        faults={fault.value: count for fault, count in model.faults.items()},
    )


router = APIRouter(tags=["experiments"])

Experiment = Annotated[str, Path(max_length=200, description="The experiment's id or name.")]


@router.get("/lab", response_model=LabInfo)
async def lab(request: Request) -> Response:
    """Return the description of this server, and the games that can be started on it."""
    return await reply(request, lab_info)


@router.get("/experiments", response_model=ExperimentPage)
async def experiments(
    request: Request,
    offset: Offset = 0,
    limit: Limit = 50,
    archived: Annotated[bool, Query(description="List the archived experiments instead of all others.")] = False,
) -> Response:
    """Return the experiments, the newest first."""
    running = service_of(request).running()
    return await reply(request, experiment_page, running, offset, limit, archived, extra_key=f"{sorted(running)}")


@router.get("/experiments/{experiment}", response_model=ExperimentDetail)
async def experiment(request: Request, experiment: Experiment) -> Response:
    """Return one experiment, with the links for its people if this server is playing it."""
    service = service_of(request)
    id_ = await service.experiment_id(experiment)
    running, seats = service.running(), seat_links(service.host.seats(id_))
    run = service.run_of(id_)
    current_run = None if run is None else CurrentRun(state=run.state, told=list(run.messages))
    cache_key = f"{sorted(running)} {seats} {current_run}"
    return await reply(request, experiment_detail, id_, running, seats, current_run, extra_key=cache_key)
