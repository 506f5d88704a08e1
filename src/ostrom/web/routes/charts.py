"""Routes: the charts of a report, as specifications that a browser draws."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from ostrom.web.queries import charts as queries
from ostrom.web.replies import found, service_of
from ostrom.web.routes.asked import AnyFilters, is_slow
from ostrom.web.shapes.study import Chart, ChartCatalogue

router = APIRouter(tags=["study"])


@router.get("/charts", response_model=ChartCatalogue)
async def charts(request: Request, filters: AnyFilters) -> Response:
    """All charts of the report on the chosen games, and the report in a few sentences."""
    return await found(request, lambda: queries.catalogue(service_of(request), filters), slow=is_slow(filters))


@router.get("/charts/{name}", response_model=Chart)
async def chart(request: Request, name: Annotated[str, Path(max_length=100)], filters: AnyFilters) -> Response:
    """One chart: its words, and its Vega-Lite specification."""
    return await found(request, lambda: queries.chart(service_of(request), name, filters), slow=is_slow(filters))
