"""What this server is, and the experiments of its journal: how far each is, what it cost, who plays in it."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.charts.palette import DARK
from ostrom.core import Provenance
from ostrom.core.plugins import GAMES
from ostrom.journal.arrange import ARCHIVED, tags_of
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.schema import SIMULATION
from ostrom.journal.spending import ModelCalls
from ostrom.players.people.seat import is_person
from ostrom.players.roster import built_in_names, load_installed
from ostrom.version import VERSION
from ostrom.web.api.games import Limit, Offset
from ostrom.web.api.hosting import SeatLink, seat_links
from ostrom.web.api.steering import Budget, budget_of
from ostrom.web.replies import Shape, exact, reply, service_of
from ostrom.web.runs import RunState
from ostrom.web.service import Service


class GameKind(Shape):
    """A game that can be started from a page."""

    command: str
    """What the command line calls it: 'punish'."""
    name: str
    """What records call it: 'contribute_punish'."""
    title: str
    """What people call it: 'Contribute & Punish'."""
    summary: str
    fewest_seats: int
    most_seats: int
    usual_seats: int | None
    """The default number of seats; missing if the game has none."""
    players: list[str]
    """Who can be seated, without 'human', which always can."""
    rules: dict[str, Any]
    """The JSON schema of its rules, with their defaults."""


class LabInfo(Shape):
    """What this server is."""

    version: str
    journal: str
    """The journal's name, never with a password."""
    revision: int
    starts: bool
    """Whether games can be started here."""
    steers: bool
    """Whether benchmarks can be started here, and experiments be steered and kept in order."""
    address: str | None
    """Where others in the network find these pages; missing where only this machine reaches them."""
    games: list[GameKind]
    inks: dict[str, str]
    """By a player's colour on light paper, its colour on dark paper."""


class ModelRow(Shape):
    """How the calls of one model went in an experiment."""

    model: str
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """Dollars; missing where no price is known."""
    mean_latency: float | None
    faults: dict[str, int]


class ExperimentItem(Shape):
    """An experiment and its progress."""

    id: str
    name: str
    kind: str
    """The command of its game, 'battery', 'audit', 'mixed', … as it was entered."""
    created: str
    state: Literal["unfinished", "open", "finished"]
    running: bool
    """Whether this server is playing it now."""
    planned: int | None
    finished: int
    playing: int
    void: int
    answers: int
    events: int
    defaulted: int
    repaired: int
    cost: float | None
    """Dollars in all; missing where no model was called, or a price is not known."""
    players: list[str]
    about: str | None
    """Of a simulation, what was done, in a sentence or two; it has no games of its own."""
    tags: list[str]
    archived: bool
    """Whether it is left out of lists and leaderboards."""


class Suspended(Shape):
    """Why games of an experiment do not go on for now."""

    reason: str
    """As whoever stopped them said it: of a model that was given up, what its last call failed with."""
    games: int


class RunNow(Shape):
    """A run that this server started."""

    state: RunState
    told: list[str]
    """What it said last: why it ended, and what is doubtful."""


class Account(Shape):
    """What an experiment may use, and what it has used, as a budget counts it."""

    budget: float | None
    """Dollars; missing where nothing bounds them."""
    token_budget: int | None
    dollars: float
    tokens: int
    out: int
    """Calls that were sent and have not come back: in flight, or lost when a run was killed."""


class ExperimentDetail(ExperimentItem):
    """All of an experiment but its games."""

    settings: dict[str, Any]
    """What decided it; whole numbers beyond 2⁵³, as seeds may be, are text."""
    models: list[ModelRow]
    runs: int
    seats: list[SeatLink]
    """The links of its people, where this server is playing it."""
    suspended: list[Suspended]
    run: RunNow | None
    """The run that this server started last."""
    account: Account | None
    """Missing where no model was called and none is to be."""


class ExperimentPage(Shape):
    """Some of the experiments, the newest first."""

    experiments: list[ExperimentItem]
    total: int
    offset: int
    archived: int
    """How many are archived, and not among them unless they are asked for."""


def lab_info(service: Service) -> LabInfo:
    """What this server is, and which games can be started from its pages."""
    load_installed()
    kinds = [
        GameKind(
            **{name: getattr(game, name) for name in ("command", "name", "title", "summary")},
            fewest_seats=game.seats.fewest,
            most_seats=game.seats.most,
            usual_seats=game.seats.usual,
            players=built_in_names(game.name),
            rules=game.rules.model_json_schema(),
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
    """Some of the experiments, the newest first: those that are archived, or all others."""
    rows, seated = service.journal.pages.experiments()[::-1], service.journal.pages.seated()
    aside = sum(map(_is_archived, rows))
    rows = [row for row in rows if _is_archived(row) is archived]
    items = [ExperimentItem(**_item(row, seated.get(row.id, ()), running)) for row in rows[offset : offset + limit]]
    return ExperimentPage(experiments=items, total=len(rows), offset=offset, archived=aside)


def experiment_detail(
    service: Service, experiment: str, running: Collection[str], seats: list[SeatLink], run: RunNow | None
) -> ExperimentDetail:
    """One experiment, by its id."""
    pages = service.journal.pages
    row = next(row for row in pages.experiments() if row.id == experiment)
    item, models = _item(row, pages.seated().get(row.id, ()), running), [_model(model) for model in row.models]
    return ExperimentDetail(
        **item,
        settings=exact(row.settings),
        models=models,
        runs=row.runs,
        seats=seats,
        suspended=[Suspended(reason=reason, games=games) for reason, games in row.suspended.items()],
        run=run,
        account=_account(service, row),
    )


def _account(service: Service, row: ExperimentRow) -> Account | None:
    limits = budget_of(service.journal, row)
    called = [model for model in row.models if not is_person(model.model)]
    if not called and not row.out.unsettled and limits == Budget():
        return None
    spent = service.journal.spending(row.id)
    return Account(
        budget=limits.budget,
        token_budget=limits.token_budget,
        dollars=spent.dollars,
        tokens=spent.tokens,
        out=row.out.unsettled,
    )


def _is_archived(row: ExperimentRow) -> bool:
    return row.settings.get(ARCHIVED) is True


def _item(row: ExperimentRow, players: Sequence[str], running: Collection[str]) -> dict[str, Any]:
    copied = ("id", "name", "kind", "created", "state", "planned", "playing", "void", "answers", "events")
    return {
        **{name: getattr(row, name) for name in copied},
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
    told = row.settings.get(SIMULATION) if row.kind == SIMULATION else None
    facts = told.get("facts") if isinstance(told, dict) else None
    return facts if isinstance(facts, str) and facts else None


def _cost(models: Sequence[ModelCalls]) -> float | None:
    """Dollars; nothing where no model was called, or where some tokens have no known price. People are asked like
    models, and are none."""
    models = [model for model in models if not is_person(model.model)]
    if not models or any(model.unpriced for model in models):
        return None
    return sum(model.cost for model in models)


def _model(model: ModelCalls) -> ModelRow:
    return ModelRow(
        **{name: getattr(model, name) for name in ("model", "calls", "input_tokens", "output_tokens")},
        failed=sum(model.faults.values()),
        cost=None if model.unpriced or is_person(model.model) else model.cost,
        mean_latency=model.latency if model.calls else None,
        faults={fault.value: count for fault, count in model.faults.items()},
    )


router = APIRouter(tags=["experiments"])

Experiment = Annotated[str, Path(max_length=200, description="By its id or its name.")]


@router.get("/lab", response_model=LabInfo)
async def lab(request: Request) -> Response:
    """What this server is, and which games can be started here."""
    return await reply(request, lab_info)


@router.get("/experiments", response_model=ExperimentPage)
async def experiments(
    request: Request,
    offset: Offset = 0,
    limit: Limit = 50,
    archived: Annotated[bool, Query(description="Those that are archived, in place of all others.")] = False,
) -> Response:
    """The experiments, the newest first."""
    running = running_here(service_of(request))
    return await reply(request, experiment_page, running, offset, limit, archived, beside=f"{sorted(running)}")


@router.get("/experiments/{experiment}", response_model=ExperimentDetail)
async def experiment(request: Request, experiment: Experiment) -> Response:
    """One experiment, with the links of its people where this server is playing it."""
    service = service_of(request)
    wanted = await service.experiment_id(experiment)
    running, seats = running_here(service), seat_links(service.host.seats(wanted))
    run = None if service.runs is None else service.runs.of(wanted)
    now = None if run is None else RunNow(state=run.state, told=list(run.told))
    beside = f"{sorted(running)} {seats} {now}"
    return await reply(request, experiment_detail, wanted, running, seats, now, beside=beside)


def running_here(service: Service) -> list[str]:
    """The ids of experiments that are played in this process, or run for it."""
    return [*service.host.running(), *(service.runs.running() if service.runs is not None else ())]
