"""The front: what was asked for before, and still holds, is sent at once. Most requests are of that kind, and to find
their route and to read their parameters again would take several times as long."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ostrom.core import InputError
from ostrom.web.replies import address_of, sent
from ostrom.web.service import Service
from ostrom.web.shelf import Body


class Front:
    """Sends what lies ready, and leaves everything else to an application."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._desks = (service.desk, service.findings.quick)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        body = None
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith("/api/"):
            body = await self._ready(scope)
        if body is None:
            await self._app(scope, receive, send)
        else:
            await sent(Request(scope), body)(scope, receive, send)

    async def _ready(self, scope: Scope) -> Body | None:
        address = address_of(scope)
        try:
            for desk in self._desks:
                body = await desk.ready(address)
                if body is not None:
                    return body
        except InputError:
            pass  # a journal that cannot be read: the route finds that out again, and says so
        return None
