"""The application: routes, middleware and built pages. `python -m ostrom.web.app` prints the OpenAPI document, from
which the types of the pages are generated."""

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
    charts,
    citing,
    conclusions,
    experiments,
    game_details,
    games,
    hosting,
    live,
    messages,
    participation,
    players,
    ratings,
    scores,
    seat_end,
    seats,
    session_games,
    session_host,
    session_starts,
    sharing,
    simulating,
    simulations,
    steering,
    studies,
    tables,
)
from ostrom.web.api.ratings import LazyMeasures, standings
from ostrom.web.api.studies import Filters, choose, studies_here
from ostrom.web.built_files import BuiltFiles, read_built_files
from ostrom.web.cache import release_memory
from ostrom.web.middleware import LOOPBACK, Guards, ReadyAnswers, Shares
from ostrom.web.relay import OwnerDoor, Relay
from ostrom.web.replies import PlainJson, Refusal, answer_errors
from ostrom.web.server import Capacity, Connections, capacity
from ostrom.web.service import Service
from ostrom.web.session_desk import SessionDesk

LABORATORY: Final = (
    experiments,
    simulations,
    games,
    game_details,
    live,
    hosting,
    steering,
    session_starts,
    simulating,
    arranging,
    studies,
    ratings,
    players,
    charts,
    conclusions,
    citing,
    tables,
    scores,
    messages,
    sharing,
)
"""The routes that show the journal. A server that has only people's seats does not have these routes."""
PEOPLE: Final = (seats, seat_end, participation, session_host, session_games)
"""The routes of people at seats and of sessions. Each of them checks a token or a join code."""
_SUMMARY_SLICE_S: Final = 5.0
"""The time in seconds after which other threads get a chance to summarise games too."""
_MAX_WARMED_GAMES: Final = 2000
"""Kinds of games with more finished games than this are read only at the first request."""
_MAX_RATED_GAMES: Final = 20_000
"""Kinds of games with more finished games than this are rated only at the first request."""
_MAX_RATED_EXPERIMENTS: Final = 50
"""The number of experiments of a kind of game that are rated separately, the latest ones first."""


def create_app(
    service: Service,
    pages: Path | None = None,
    hosts: Iterable[str] | None = LOOPBACK,
    allowed: Capacity | None = None,
    proxy: str | None = None,
) -> FastAPI:
    """Return the application over a service, with the pages of a folder. `hosts` are the host names that the
    application accepts; None means all. `allowed` limits the connections; by default, the limit of open files
    determines their number. `proxy` is the address of a reverse proxy that is trusted to name its clients."""
    app = FastAPI(
        title="Ostrom",
        version=VERSION,
        summary="A laboratory for economic behaviour.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json" if service.laboratory else None,
        default_response_class=PlainJson,
        responses={status: {"model": Refusal} for status in (400, 401, 404, 413, 421, 422)},
    )
    app.state.service = service
    app.state.connections = Connections(allowed or capacity(), proxy)
    app.state.ending = asyncio.Event()  # It is set when the server stops, so that streams end at once.
    app.state.warmup = threading.Thread(target=warm_up, args=(service,), name="warm-up", daemon=True)
    answer_errors(app)
    for part in LABORATORY if service.laboratory else ():
        app.include_router(part.router, prefix="/api")
    for part in PEOPLE:
        app.include_router(part.router, prefix="/api")
    if service.desk is not None:
        app.add_middleware(Relay, desk=service.desk)
    if service.laboratory:
        app.include_router(reference.router)
        app.include_router(sharing.pages)
        app.add_middleware(ReadyAnswers, service=service)
    if pages is not None:
        app.add_middleware(BuiltFiles, files=read_built_files(pages))
    app.add_middleware(Shares, allowed=app.state.connections.allowed)
    # The middleware that is added last runs first.
    app.add_middleware(Guards, token=service.token, hosts=hosts, damage=service.damage)
    return app


def create_owner_app(service: Service, desk: SessionDesk, secret: str) -> FastAPI:
    """Return the application for the other processes that serve the session of this process."""
    app = create_app(service, hosts=None)
    app.add_middleware(OwnerDoor, desk=desk, secret=secret)
    return app


def warm_up(service: Service) -> None:
    """Compute the contents of leaderboards and charts in advance, until the server stops. If an earlier server has
    stored replies about the same games, nothing is computed in advance. Errors are ignored here, since a request would
    report them."""
    try:
        with suppress(OstromError):
            stored = service.laboratory and service.studies.are_stored()
            if not stored:
                _compute_first(service)
            _summarise_games(service)
            if not stored:
                _rate_experiments(service)
        release_memory()
    except Exception:
        if service.damage() is None:
            raise


def _summarise_games(service: Service) -> None:
    left = service.summarise_games(_SUMMARY_SLICE_S) if service.laboratory else 0
    while left and (now := service.summarise_games(_SUMMARY_SLICE_S)) < left:
        left = now


def _compute_first(service: Service) -> None:
    selections = []
    for study in studies_here(service) if service.laboratory else ():
        service.studies.check()
        if isinstance(study, Study):
            finished = sum(row.state == FINISHED for row in service.studies.rows(study))
            with suppress(NothingLeft):
                selections += [choose(service, Filters(study.command))] if finished <= _MAX_WARMED_GAMES else []
    # Leaderboards come first, because every page about a kind of game shows them.
    for selection in selections:
        service.studies.check()
        standings(service, selection)
    for selection in selections:
        measures = LazyMeasures(service, selection)
        for name in measures:
            measures[name]


def _rate_experiments(service: Service) -> None:
    """Rate the players of each experiment separately, for the pages of the experiments."""
    for study in studies_here(service) if service.laboratory else ():
        if not isinstance(study, Study):
            continue
        games = Counter(row.experiment for row in service.studies.rows(study) if row.state == FINISHED)
        if games.total() > _MAX_RATED_GAMES:
            continue
        latest = list(games)[-_MAX_RATED_EXPERIMENTS:] if len(games) > 1 else []
        for names in [(), *((name,) for name in reversed(latest))]:
            service.studies.check()
            with suppress(NothingLeft):
                standings(service, choose(service, Filters(study.command, names)))


def openapi_document() -> str:
    """Return the OpenAPI document, which does not depend on a journal."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(f"sqlite:///{Path(folder) / 'empty.db'}", create=True) as journal,
    ):
        return json.dumps(create_app(Service(journal, Host(journal))).openapi(), indent=1)


if __name__ == "__main__":
    print(openapi_document())
