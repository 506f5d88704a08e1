"""The chat endpoint of an OpenAI-compatible server, asked with no more ado than it takes.

OpenAI's client goes over the whole prompt for fields to rename or convert, of which a chat of texts has none, and
builds address, headers and retries anew for every call; that takes more time than the call itself. What is sent, and
how an answer or an error is read, stays the client library's.
"""

from typing import Any

from openai import AsyncOpenAI, NotGiven, Omit
from openai.resources.chat.completions import AsyncCompletions
from openai.types.chat import ChatCompletion
from pydantic_core import from_json, to_json


class PlainCompletions(AsyncCompletions):
    """Sends what it is given, as it is given."""

    def __init__(self, client: AsyncOpenAI) -> None:
        super().__init__(client)
        self._address = client._client.build_request("POST", f"{str(client.base_url).rstrip('/')}/chat/completions").url
        self._headers = {**client.auth_headers, "Content-Type": "application/json", "Accept": "application/json"}

    async def create(  # type: ignore[override]
        self,
        *,
        stream: bool = False,
        extra_headers: Any = None,
        extra_body: Any = None,
        timeout: Any = None,
        **given: Any,
    ) -> ChatCompletion:
        """Ask for one whole reply. The time that it may take is not set here."""
        assert not stream, "a reply is asked for whole"
        body = {name: value for name, value in given.items() if not isinstance(value, NotGiven | Omit)}
        if extra_body:
            body.update(extra_body)
        http = self._client._client
        response = await http.post(self._address, content=to_json(body), headers={**self._headers, **extra_headers})
        if not response.is_success:
            raise self._client._make_status_error_from_response(response)
        reply = from_json(response.content)
        if not isinstance(reply, dict):
            raise ValueError(f"an object was expected, not {type(reply).__name__}")
        return ChatCompletion.construct(**reply)


def send_plainly(client: AsyncOpenAI) -> None:
    """Let a client's chats go out this way."""
    client.chat.completions = PlainCompletions(client)  # type: ignore[misc]  # a cached property
