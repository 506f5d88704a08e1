"""Refusals: every error that a request can cause is one line of JSON."""

import json
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.text import problem as sentence


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal: one line, whatever the text holds."""
    line = " ".join(detail.split())
    # As plain ASCII: half a character in a request must not spoil the answer to it.
    return Response(json.dumps({"detail": line}), status, headers, "application/json")


def install(app: FastAPI) -> None:
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
    unknown = error.status_code == 404 and error.detail == "Not Found"
    detail = f"there is nothing at {request.url.path[:200]}; /docs lists all of the API" if unknown else error.detail
    return problem(error.status_code, str(detail), dict(error.headers or {}))


async def _impossible(request: Request, error: Exception) -> Response:
    # A record that cannot be read is nobody's bad request, and no bug of the server's either.
    status = 404 if isinstance(error, UnknownName) else 422 if isinstance(error, RecordError) else 400
    return problem(status, str(error))
