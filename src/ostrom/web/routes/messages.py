"""Routes: what was said."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from ostrom.web.queries import messages as queries
from ostrom.web.replies import found, service_of
from ostrom.web.routes.asked import Experiments, Name, Offset, Players
from ostrom.web.shapes.study import MessagePage, Promised

router = APIRouter(tags=["study"])


@router.get("/messages", response_model=MessagePage)
async def messages(
    request: Request,
    text: Annotated[str, Query(max_length=200, description="In the message, whatever the case.")] = "",
    experiments: Experiments = [],  # noqa: B006 (FastAPI copies defaults)
    players: Players = [],  # noqa: B006
    round_: Annotated[int | None, Query(alias="round", ge=1, le=1_000_000, description="Only this round.")] = None,
    game: Annotated[Name | None, Query(description="Only this game, by id or key.")] = None,
    promise: Annotated[
        Promised,
        Query(description="Messages that promise a contribution; those that were kept, were broken; or without one."),
    ] = "any",
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Messages of finished games, in the order in which they were said, with what became of their promises."""
    wanted = queries.Search(text, tuple(experiments), tuple(players), round_, game, promise)
    return await found(
        request, lambda: queries.message_page(service_of(request), wanted, offset, limit), like="messages"
    )
