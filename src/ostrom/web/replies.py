"""How requests are answered: typed in the OpenAPI document, from the cache, as bytes; and refused, in one line of JSON
whatever went wrong."""

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails, PydanticSerializationError
from starlette.exceptions import HTTPException
from starlette.types import Scope

from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.text import problem as sentence
from ostrom.web.cache import Body, digest_of
from ostrom.web.service import Service

_JSON: Final = "application/json"
_PATIENCE: Final = 1.5
"""Seconds after which a reader that asked for it is told how far an answer is."""


class Shape(BaseModel):
    """What the API answers or takes; what it does not know is an error, in both directions."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, from_attributes=True)


class Problem(Shape):
    """Why a request was refused."""

    detail: str
    """In one line: what is wrong, and what would be right."""


class Span(Shape):
    """An estimate with its uncertainty; without a value, the reason why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


_MOST_EXACT: Final = 2**53 - 1
"""The largest whole number up to which a browser tells every two apart."""


def exact(value: Any) -> Any:
    """Plain data in which whole numbers that a browser would round, such as seeds, are text."""
    if isinstance(value, dict):
        return {name: exact(one) for name, one in value.items()}
    if isinstance(value, list):
        return [exact(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) > _MOST_EXACT else value


UNREADABLE: Final = {413: "Too large.", 415: "The content type is not JSON."}
"""Why the body of a request is not read, by status."""


def refusals(reasons: dict[int, str]) -> dict[int | str, dict[str, Any]]:
    """What the OpenAPI document says of refusals, by status."""
    return {status: {"model": Problem, "description": why} for status, why in reasons.items()}


def service_of(request: Request) -> Service:
    """What the application serves."""
    service: Service = request.app.state.service
    return service


def writing(service: Service) -> None:
    """Refuse what would change the journal where pages may only read it: the same rule as for starting games."""
    if not service.starts:
        raise HTTPException(403, "this server shows its journal and does not change it")


async def reply(request: Request, make: Callable[..., BaseModel], *args: Any, beside: str = "") -> Response:
    """The answer that `make` gives of the service, which the journal, the request's address and what stands `beside`
    them alone decide. It is computed once for each revision; who has it already is told so."""
    service = service_of(request)
    # Answers of one route to questions of one form take about as long, where nothing but their size decides that.
    like = (request.scope["route"].path, *sorted(request.query_params))
    name = f"{address_of(request.scope)}{beside}"
    return await _in_time(request, service.answers.answer(name, lambda: encoded(make(service, *args)), like))


async def reply_of_ended(
    request: Request, make: Callable[..., BaseModel], *args: Any, slow: bool = False, like: Hashable = None
) -> Response:
    """The same of an answer that games which are over and the request's address alone decide. It stays until another
    game ends. What is `slow` waits for others that are, and for nothing else; answers that are `like` one another take
    about as long."""
    service = service_of(request)
    answers, name = service.studies.answers, address_of(request.scope)
    return await _in_time(request, answers.answer(name, lambda: encoded(make(service, *args)), like, slow=slow))


async def _in_time(request: Request, answer: Awaitable[Body]) -> Response:
    """The answer; for a reader who would rather ask again than wait (RFC 7240), after a while how far it is. It is
    computed all the same, and lies ready for who asks again."""
    if "respond-async" not in request.headers.get("prefer", ""):
        return sent(request, await answer)
    try:
        return sent(request, await asyncio.wait_for(answer, _PATIENCE))
    except TimeoutError:
        headers = {"Retry-After": "1", "Cache-Control": "no-store", "Preference-Applied": "respond-async"}
        return problem(202, service_of(request).studies.progress or "still computing", headers)


def encoded(shape: BaseModel) -> bytes:
    """A shape as JSON. What is no number is null, and half a character that a model wrote is kept as JSON keeps it."""
    try:
        return shape.model_dump_json().encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        return _plain(shape.model_dump())


class PlainJson(JSONResponse):
    """An answer that FastAPI makes, encoded like the others."""

    def render(self, content: Any) -> bytes:
        """JSON in plain ASCII."""
        return _plain(content)


def _plain(content: Any) -> bytes:
    return json.dumps(_finite(content), allow_nan=False, separators=(",", ":")).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def sent(request: Request, body: Body) -> Response:
    """An answer that is ready, in the form that the reader takes."""
    headers = {"ETag": body.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if body.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if body.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body.packed, media_type=_JSON, headers={**headers, "Content-Encoding": "gzip"})
    return Response(body.plain, media_type=_JSON, headers=headers)


def address_of(scope: Scope) -> str:
    """A short name for what was asked for, whatever the order of its parts: an address can be very long."""
    path, query = ascii(scope["path"]), scope["query_string"].decode("latin-1")
    return digest_of([path, *sorted(query.split("&"))])


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal: one line, whatever the text holds."""
    line = " ".join(detail.split())
    # As plain ASCII: half a character in a request must not spoil the answer to it.
    return Response(json.dumps({"detail": line}), status, headers, _JSON)


def answer_errors(app: FastAPI) -> None:
    """Turn every error of an application into a refusal."""
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(InputError, _impossible)


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = dict(error.errors()[0])
    first["loc"] = tuple(part for part in first["loc"] if part not in ("body", "query", "path", "header"))
    return problem(422, sentence(cast(ErrorDetails, first)))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    nowhere = error.status_code == 404 and error.detail == "Not Found"
    detail = f"there is nothing at {request.url.path[:200]}; /docs lists all of the API" if nowhere else error.detail
    return problem(error.status_code, str(detail), dict(error.headers or {}))


async def _impossible(request: Request, error: Exception) -> Response:
    # A record that cannot be read is nobody's bad request, and no bug of the server's either.
    status = 404 if isinstance(error, UnknownName) else 422 if isinstance(error, RecordError) else 400
    return problem(status, str(error))
