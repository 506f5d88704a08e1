"""Routes: what can be compared, and the leaderboards."""

from fastapi import APIRouter, Request, Response

from ostrom.web.queries import ratings as queries
from ostrom.web.queries import studies as chosen
from ostrom.web.replies import found, service_of
from ostrom.web.routes.asked import AnyFilters
from ostrom.web.shapes.study import RatingTable, Studies

router = APIRouter(tags=["study"])


@router.get("/studies", response_model=Studies)
async def studies(request: Request) -> Response:
    """What can be compared: every game that there are finished games of, and what they can be filtered by."""
    return await found(request, lambda: chosen.studies(service_of(request)))


@router.get("/ratings", response_model=RatingTable)
async def ratings(request: Request, filters: AnyFilters) -> Response:
    """The leaderboard of the chosen games, the best first, with intervals and tiers."""
    return await found(request, lambda: queries.rating_table(service_of(request), filters))
