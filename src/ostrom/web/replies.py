"""How a route answers from the shelf: typed in the OpenAPI document, computed once for each revision of the journal,
sent as bytes."""

import json
import math
from collections.abc import Callable, Hashable
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError
from starlette.types import Scope

from ostrom.web.library import digest_of
from ostrom.web.service import Service
from ostrom.web.shelf import Body

_NAMES: Final = frozenset({"experiment", "game"})
"""What of an address names something in the journal."""


def service_of(request: Request) -> Service:
    """What the application serves."""
    service: Service = request.app.state.service
    return service


async def shelved(request: Request, make: Callable[[], BaseModel], *, beside: str = "") -> Response:
    """The answer that `make` gives, which the journal, the request's address and what stands `beside` them alone
    decide. It is computed once for each revision; who has it already is told so."""
    # Answers of one route to questions of one form take about as long, where nothing but their size decides that.
    like = (request.scope["route"].path, *sorted(request.query_params)) if service_of(request).journal.local else None
    return await _shelved(request, lambda: encoded(make()), beside, like)


async def found(
    request: Request, make: Callable[[], BaseModel], *, slow: bool = False, like: Hashable = None
) -> Response:
    """The same of an answer that games which are over and the request's address alone decide. It stays until another
    game ends. What is `slow` waits for others that are, and for nothing else; answers that are `like` one another take
    about as long."""
    service = service_of(request)
    desk = service.findings.slow if slow else service.findings.quick
    if not service.journal.local and _NAMES.intersection(request.query_params):
        like = None  # what a name means is asked of the journal
    return sent(request, await desk.answer(address_of(request.scope), lambda: encoded(make()), like))


async def shelved_text(request: Request, make: Callable[[], bytes], *, beside: str = "") -> Response:
    """The same of an answer that is made as JSON, of whatever size."""
    return await _shelved(request, make, beside, None)


async def _shelved(request: Request, make: Callable[[], bytes], beside: str, like: Hashable) -> Response:
    desk = service_of(request).desk
    return sent(request, await desk.answer(f"{address_of(request.scope)}{beside}", make, like))


def encoded(shape: BaseModel) -> bytes:
    """A shape as JSON. What is no number is null, and half a character that a model wrote is kept as JSON keeps it."""
    try:
        return shape.model_dump_json().encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        return json.dumps(_finite(shape.model_dump()), allow_nan=False, separators=(",", ":")).encode()


class PlainJson(JSONResponse):
    """An answer that FastAPI makes, encoded like the others."""

    def render(self, content: Any) -> bytes:
        """JSON in plain ASCII."""
        return json.dumps(_finite(content), allow_nan=False, separators=(",", ":")).encode()


def sent(request: Request, body: Body, media: str = "application/json") -> Response:
    """An answer that is ready, in the form that the reader takes."""
    headers = {"ETag": body.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if body.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if body.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body.packed, media_type=media, headers={**headers, "Content-Encoding": "gzip"})
    return Response(body.plain, media_type=media, headers=headers)


def address_of(scope: Scope) -> str:
    """A short name for what was asked for, whatever the order of its parts: an address can be very long."""
    path, query = ascii(scope["path"]), scope["query_string"].decode("latin-1")
    return digest_of([path, *sorted(query.split("&"))])


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
