"""Routes: what this server is, and the experiments of its journal."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.web.queries import experiments as queries
from ostrom.web.queries.seats import seat_links
from ostrom.web.replies import service_of, shelved
from ostrom.web.shapes.games import ExperimentDetail, ExperimentPage, LabInfo

router = APIRouter(tags=["experiments"])

Offset = Annotated[int, Query(ge=0, le=10**9, description="How many to leave out at the start.")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many to give at most.")]
Experiment = Annotated[str, Path(max_length=200, description="By its id or its name.")]


@router.get("/lab", response_model=LabInfo)
async def lab(request: Request) -> Response:
    """What this server is, and which games can be started here."""
    service = service_of(request)
    return await shelved(
        request, lambda: queries.lab_info(service.journal, starts=service.starts, address=service.address)
    )


@router.get("/experiments", response_model=ExperimentPage)
async def experiments(request: Request, offset: Offset = 0, limit: Limit = 50) -> Response:
    """The experiments, the newest first."""
    service = service_of(request)
    running = service.host.running()
    return await shelved(
        request,
        lambda: queries.experiment_page(service.journal, running, offset, limit),
        beside=f"{sorted(running)}",
    )


@router.get("/experiments/{experiment}", response_model=ExperimentDetail)
async def experiment(request: Request, experiment: Experiment) -> Response:
    """One experiment, with the links of its people where this server is playing it."""
    service = service_of(request)
    wanted = await service.experiment_id(experiment)
    running, seats = service.host.running(), seat_links(service.host.seats(wanted))
    return await shelved(
        request,
        lambda: queries.experiment_detail(service.journal, wanted, running, seats),
        beside=f"{sorted(running)} {seats}",
    )
