"""Routes: what families of tasks say about their subjects, and what games paid."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.web.queries import scores as queries
from ostrom.web.queries.filters import Filters
from ostrom.web.queries.payoffs import payoff_table
from ostrom.web.replies import found, service_of
from ostrom.web.routes.asked import Experiments, Kind, Left, Offset
from ostrom.web.shapes.payoffs import PayoffTable
from ostrom.web.shapes.study import ScoreTable, SubjectCard

router = APIRouter(tags=["study"])


@router.get("/scores", response_model=ScoreTable)
async def scores(
    request: Request,
    kind: Kind = None,
    experiments: Experiments = [],  # noqa: B006 (FastAPI copies defaults)
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> Response:
    """The scores of some subjects, in the order of their names, with those of people for comparison. To score a subject
    takes a second; so there are few on a page."""
    return await found(
        request, lambda: queries.score_table(service_of(request), kind, tuple(experiments), offset, limit), slow=True
    )


@router.get("/scores/{subject:path}", response_model=SubjectCard)
async def subject(
    request: Request,
    subject: Annotated[str, Path(max_length=200)],
    kind: Kind = None,
    experiments: Experiments = [],  # noqa: B006
) -> Response:
    """One subject: its scores, and its card."""
    return await found(
        request, lambda: queries.subject_card(service_of(request), kind, subject, tuple(experiments)), slow=True
    )


@router.get("/payoffs", response_model=PayoffTable)
async def payoffs(
    request: Request,
    kind: Kind = None,
    experiments: Experiments = [],  # noqa: B006
    defaulted: Left = "with",
) -> Response:
    """What games paid, game by game: every player's mean final with its interval. Without a kind, of all games that are
    played here."""
    filters = Filters(kind, tuple(experiments), defaulted=defaulted)
    return await found(request, lambda: payoff_table(service_of(request), filters), slow=True)
