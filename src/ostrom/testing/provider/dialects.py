"""Single calls in the interfaces of Anthropic and Google. The provider answers them like calls in OpenAI's
interface."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from ostrom.testing.provider import google
from ostrom.testing.provider.anthropic import as_message, as_request
from ostrom.testing.provider.delivery import ClientConnection, HttpRequest

if TYPE_CHECKING:
    from asyncio import Transport

_COMPLETIONS: Final = "/v1/chat/completions"
_GENERATE: Final = ":generateContent"


@dataclass(slots=True)
class _ConvertedConnection:
    """A connection whose successful replies are converted. Faults of connections are sent unchanged."""

    connection: ClientConnection
    convert: Callable[[dict[str, Any]], dict[str, Any]]

    @property
    def transport(self) -> "Transport":
        return self.connection.transport

    def respond(self, status: int, body: bytes, headers: bytes = b"") -> None:
        converted = json.dumps(self.convert(json.loads(body))).encode() if status == 200 else body
        self.connection.respond(status, converted, headers)

    def respond_in_part(self, part: bytes, length: int, status: int = 200, headers: bytes = b"") -> None:
        self.connection.respond_in_part(part, length, status, headers)


def in_openai_form(request: HttpRequest, connection: ClientConnection) -> tuple[HttpRequest, ClientConnection]:
    """Return a single call in OpenAI's form, with a connection that converts its reply. Return other requests
    unchanged. Raise ValueError, KeyError or TypeError if the request cannot be read."""
    path = request.target.path
    if path == "/v1/messages":
        asked, convert = as_request(json.loads(request.body)), as_message
    elif path.endswith(_GENERATE):
        model = path.rpartition("/")[2].removesuffix(_GENERATE)
        asked, convert = google.as_request(json.loads(request.body), model), google.as_content
    else:
        return request, connection
    converted = replace(request, target=request.target._replace(path=_COMPLETIONS), body=json.dumps(asked).encode())
    return converted, cast(ClientConnection, _ConvertedConnection(connection, convert))
