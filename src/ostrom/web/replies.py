"""Replies to requests. They are typed in the OpenAPI document, cached, and sent as bytes. This module also has
refusals, which are always one line of JSON."""

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Final, cast, get_args

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_core import ErrorDetails, PydanticSerializationError
from starlette.exceptions import HTTPException
from starlette.types import Scope
from typing_extensions import override

from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column
from ostrom.core.text import problem as sentence
from ostrom.web.cache import Body, digest_of
from ostrom.web.service import Service

_JSON: Final = "application/json"
_ASYNC_AFTER_S: Final = 1.5
"""The number of seconds after which a client that prefers `respond-async` gets the progress of a computation instead of
the reply."""


class Shape(BaseModel):
    """A request or a reply of the API. Unknown fields are errors in both."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, from_attributes=True)


class Refusal(Shape):
    """The reason for refusing a request."""

    detail: str
    """One line that says what is wrong and how to correct it."""


class Span(Shape):
    """An estimate with its uncertainty, or the reason for a missing value."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


def shape_of(name: str, columns: Sequence[Column]) -> type[Shape]:
    """Return the type of a row. The fields are those columns that have types; estimates have the type `Span`."""
    fields: dict[str, Any] = {}
    for column in columns:
        if column.type is not None:
            estimated = Estimate in (column.type, *get_args(column.type))
            annotation = (Span if column.type is Estimate else Span | None) if estimated else column.type
            fields[column.name] = (annotation, Field(description=f"{column.meaning}." if column.meaning else None))
    return create_model(name, __base__=Shape, **fields)


_MAX_EXACT_INTEGER: Final = 2**53 - 1
"""The largest integer up to which browsers represent all integers exactly."""


def exact(value: Any) -> Any:
    """Return plain data in which integers that are too large for browsers, such as seeds, are converted to text."""
    if isinstance(value, dict):
        return {name: exact(item) for name, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return str(value) if isinstance(value, int) and abs(value) > _MAX_EXACT_INTEGER else value


UNREADABLE: Final = {413: "Too large.", 415: "The content type is not JSON."}


def refusals(reasons: dict[int, str]) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of refusals for the OpenAPI document, by status."""
    return {status: {"model": Refusal, "description": why} for status, why in reasons.items()}


def service_of(request: Request) -> Service:
    """Return the service of the application."""
    service: Service = request.app.state.service
    return service


def check_writable(service: Service) -> None:
    """Raise `HTTPException` if the server may not change the journal. For example, starting a game changes it."""
    if not service.starts:
        raise HTTPException(403, "this server shows its journal and does not change it")


async def reply(request: Request, make: Callable[..., BaseModel], *args: Any, extra_key: str = "") -> Response:
    """Reply with `make(service, *args)`, which may depend on the journal, the request's address and `extra_key`. The
    reply is computed once per revision. A client that already has the reply gets the status 304."""
    service = service_of(request)
    # Replies of the same route with the same parameters need about the same time.
    like = (request.scope["route"].path, *sorted(request.query_params))
    name = f"{address_of(request.scope)}{extra_key}"
    return await _reply_in_time(request, service.answers.answer(name, lambda: encode(make(service, *args)), like))


async def reply_of_ended(
    request: Request, make: Callable[..., BaseModel], *args: Any, slow: bool = False, like: Hashable = None
) -> Response:
    """Reply like `reply`, with a result that depends only on finished games and the request's address. The reply is
    valid until another game ends. `slow` replies wait only for each other. Replies with an equal `like` are expected to
    take about the same time."""
    service = service_of(request)
    answers, name = service.studies.answers, address_of(request.scope)
    return await _reply_in_time(request, answers.answer(name, lambda: encode(make(service, *args)), like, slow=slow))


async def _reply_in_time(request: Request, answer: Awaitable[Body]) -> Response:
    """Return the reply. A client that prefers `respond-async` (RFC 7240) gets the progress of the computation instead
    if the reply takes too long. The computation continues, and a later request gets the reply."""
    if "respond-async" not in request.headers.get("prefer", ""):
        return send_body(request, await answer)
    try:
        return send_body(request, await asyncio.wait_for(answer, _ASYNC_AFTER_S))
    except TimeoutError:
        headers = {"Retry-After": "1", "Cache-Control": "no-store", "Preference-Applied": "respond-async"}
        return problem(202, service_of(request).studies.progress or "still computing", headers)


def encode(shape: BaseModel) -> bytes:
    """Return a shape as JSON. NaN becomes null, and a lone surrogate (half of a character) in a model's text is
    escaped."""
    try:
        return shape.model_dump_json().encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        return _ascii_json(shape.model_dump())


class PlainJson(JSONResponse):
    """A reply that FastAPI makes, encoded in the same way as the others."""

    @override
    def render(self, content: Any) -> bytes:
        return _ascii_json(content)


def _ascii_json(content: Any) -> bytes:
    return json.dumps(_finite(content), allow_nan=False, separators=(",", ":")).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def send_body(request: Request, body: Body) -> Response:
    """Return a response with the body in an accepted encoding, or with the status 304 if the client already has the
    body."""
    headers = {"ETag": body.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if body.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if body.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body.packed, media_type=_JSON, headers={**headers, "Content-Encoding": "gzip"})
    return Response(body.plain, media_type=_JSON, headers=headers)


def address_of(scope: Scope) -> str:
    """Return a hash of a request's path and parameters, which does not depend on the order of the parameters. A hash is
    used because an address can be very long."""
    path, query = ascii(scope["path"]), scope["query_string"].decode("latin-1")
    return digest_of([path, *sorted(query.split("&"))])


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """Return a refusal whose text is in one line."""
    line = " ".join(detail.split())
    # The text is converted to ASCII, because a request may contain half of a character.
    return Response(json.dumps({"detail": line}), status, headers, _JSON)


def answer_errors(app: FastAPI) -> None:
    """Make an application reply to every error with a refusal."""
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(HTTPException, _refuse_http)
    app.add_exception_handler(InputError, _refuse_input)


async def _refuse_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = dict(error.errors()[0])
    first["loc"] = tuple(part for part in first["loc"] if part not in ("body", "query", "path", "header"))
    return problem(422, sentence(cast(ErrorDetails, first)))


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    unknown_path = error.status_code == 404 and error.detail == "Not Found"
    detail = (
        f"there is nothing at {request.url.path[:200]}; /docs lists all of the API" if unknown_path else error.detail
    )
    return problem(error.status_code, str(detail), dict(error.headers or {}))


async def _refuse_input(request: Request, error: Exception) -> Response:
    # An unreadable record is neither a bad request nor a bug of the server.
    status = 404 if isinstance(error, UnknownName) else 422 if isinstance(error, RecordError) else 400
    return problem(status, str(error))
