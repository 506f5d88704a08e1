"""The application: it only assembles the routes, what stands before them, and the built pages.
`python -m ostrom.web.app` prints its OpenAPI document, of which the pages' types are made."""

import asyncio
import json
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from fastapi import FastAPI

from ostrom.analysis.study import NothingLeft, Study
from ostrom.core import OstromError
from ostrom.experiment.hosting import Host
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.version import VERSION
from ostrom.web import reference
from ostrom.web.api import (
    arranging,
    calls,
    charts,
    experiments,
    games,
    hosting,
    live,
    messages,
    method,
    names,
    notes,
    players,
    ratings,
    scores,
    seats,
    simulations,
    steering,
    studies,
    tables,
)
from ostrom.web.api.ratings import Measured, standings
from ostrom.web.api.studies import Filters, choose, studies_here
from ostrom.web.connections import Capacity, Connections, capacity
from ostrom.web.memory import give_back
from ostrom.web.middleware import LOOPBACK, SEAT, Guards, Pages, ReadyAnswers, read_pages
from ostrom.web.replies import PlainJson, Problem, answer_errors
from ostrom.web.service import Service
from ostrom.web.shares import Shares

LABORATORY: Final = (
    experiments,
    simulations,
    games,
    calls,
    notes,
    live,
    hosting,
    steering,
    arranging,
    studies,
    ratings,
    players,
    charts,
    tables,
    scores,
    messages,
    method,
    names,
)
"""What shows the journal; not there where people only take their seats."""
_AT_A_TIME: Final = 5.0
"""Seconds after which whoever asks for a list may look at games, too."""
_MOST_GAMES: Final = 2000
"""Finished games of a kind that are read before anybody asks; of more, whoever wants to know waits."""


_MOST_RATED: Final = 20_000
"""Finished games of a kind whose players are rated before anybody asks."""
_MOST_EXPERIMENTS: Final = 50
"""Of a kind whose players are rated by themselves: the last ones."""


def create_app(
    service: Service,
    pages: Path | None = None,
    hosts: Iterable[str] | None = LOOPBACK,
    allowed: Capacity | None = None,
    proxy: str | None = None,
) -> FastAPI:
    """The application over a service, with the pages of a folder; `hosts` are the names it answers to, all where there
    are none. So many connections are `allowed`, by default as many as the limit of open files has room for; a
    `proxy` at this address says in whose name it asks."""
    app = FastAPI(
        title="Ostrom",
        version=VERSION,
        summary="A laboratory for economic behaviour.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json" if service.laboratory else None,
        default_response_class=PlainJson,
        responses={status: {"model": Problem} for status in (400, 401, 404, 413, 421, 422)},
    )
    app.state.service = service
    app.state.connections = Connections(allowed or capacity(), proxy)
    app.state.ending = asyncio.Event()  # set when the server stops, so that streams end at once
    app.state.warmup = threading.Thread(target=warm_up, args=(service,), name="warm-up", daemon=True)
    answer_errors(app)
    for part in LABORATORY if service.laboratory else ():
        app.include_router(part.router, prefix="/api")
    app.include_router(seats.router, prefix="/api")
    if service.laboratory:
        app.include_router(reference.router)
        app.add_middleware(ReadyAnswers, service=service)
    if pages is not None:
        app.add_middleware(Pages, files=read_pages(pages))
    app.add_middleware(Shares, allowed=app.state.connections.allowed, seat=SEAT)
    # The last to be added is the first to be asked.
    app.add_middleware(Guards, token=service.token, hosts=hosts, damage=service.damage)
    return app


def warm_up(service: Service) -> None:
    """Compute what the first readers of a leaderboard or a chart would wait for, one thing after the other, until the
    server stops. Whoever asks for what cannot be computed is told why."""
    try:
        with suppress(OstromError):
            _compute_first(service)
            _look_at_games(service)
            _rate_experiments(service)
        give_back()
    except Exception:
        if service.damage() is None:
            raise


def _look_at_games(service: Service) -> None:
    """Look at all games that are over, until none is left or nothing comes of it."""
    left = service.look_at_games(_AT_A_TIME) if service.laboratory else 0
    while left and (now := service.look_at_games(_AT_A_TIME)) < left:
        left = now


def _compute_first(service: Service) -> None:
    games = []
    for study in studies_here(service) if service.laboratory else ():
        service.studies.check()
        if isinstance(study, Study):
            finished = sum(row.state == FINISHED for row in service.studies.rows(study))
            with suppress(NothingLeft):
                games += [choose(service, Filters(study.command))] if finished <= _MOST_GAMES else []
    # What every page of a kind begins with before anything that only some of them show.
    for chosen in games:
        service.studies.check()
        standings(service, chosen)
    for chosen in games:
        measured = Measured(service, chosen)
        for name in measured:
            measured[name]


def _rate_experiments(service: Service) -> None:
    """Rate the players of every experiment by itself, as a page of one begins with: where there are many games, whoever
    asks first would wait for it."""
    for study in studies_here(service) if service.laboratory else ():
        if not isinstance(study, Study):
            continue
        games = Counter(row.experiment for row in service.studies.rows(study) if row.state == FINISHED)
        if games.total() > _MOST_RATED:
            continue
        several = list(games)[-_MOST_EXPERIMENTS:] if len(games) > 1 else []
        for wanted in [(), *((name,) for name in reversed(several))]:
            service.studies.check()
            with suppress(NothingLeft):
                standings(service, choose(service, Filters(study.command, wanted)))


def openapi_document() -> str:
    """The whole document; it is the same whatever a journal holds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(f"sqlite:///{Path(folder) / 'empty.db'}", create=True) as journal,
    ):
        return json.dumps(create_app(Service(journal, Host(journal))).openapi(), indent=1)


if __name__ == "__main__":
    print(openapi_document())
