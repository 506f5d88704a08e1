"""The application: it only assembles the routes, the guards before them, and the built pages."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from fastapi import FastAPI

from ostrom.version import VERSION
from ostrom.web import problems, reference
from ostrom.web.front import Front
from ostrom.web.pages import Pages
from ostrom.web.replies import PlainJson
from ostrom.web.routes import charts, experiments, games, hosting, live, messages, ratings, scores, seats, tables
from ostrom.web.security import LOOPBACK, Guards
from ostrom.web.service import Service
from ostrom.web.shapes.base import Problem
from ostrom.web.warming import Warming

LABORATORY = (experiments, games, live, hosting, ratings, charts, tables, scores, messages)
"""What shows the journal; not there where people only take their seats."""


def create_app(service: Service, pages: Path | None = None, hosts: Iterable[str] | None = LOOPBACK) -> FastAPI:
    """The application over a service, with the pages of a folder; `hosts` are the names it answers to, all where there
    are none."""
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
    app.state.ending = asyncio.Event()  # set when the server stops, so that streams end at once
    app.state.warming = Warming(service)
    problems.install(app)
    for part in LABORATORY if service.laboratory else ():
        app.include_router(part.router, prefix="/api")
    app.include_router(seats.router, prefix="/api")
    if service.laboratory:
        app.include_router(reference.router)
        app.add_middleware(Front, service=service)
    if pages is not None:
        app.add_middleware(Pages, folder=pages)
    # The last to be added is the first to be asked.
    app.add_middleware(Guards, token=service.token, hosts=hosts)
    return app
