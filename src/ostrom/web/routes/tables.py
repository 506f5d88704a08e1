"""Routes: the tables behind the charts."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.web.queries import tables as queries
from ostrom.web.replies import found, service_of
from ostrom.web.routes.asked import AnyFilters, Offset, is_slow
from ostrom.web.shapes.study import TableList, TablePage

router = APIRouter(tags=["study"])


@router.get("/tables", response_model=TableList)
async def tables(request: Request, filters: AnyFilters) -> Response:
    """Every table of the chosen games: the tidy ones, and one for each measure."""
    return await found(request, lambda: queries.table_list(service_of(request), filters), slow=is_slow(filters))


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    name: Annotated[str, Path(max_length=100)],
    filters: AnyFilters,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Some rows of a table. What is no finite number is null."""
    return await found(
        request,
        lambda: queries.table_page(service_of(request), name, filters, offset, limit),
        slow=is_slow(filters),
        like=("table", name, filters),
    )
