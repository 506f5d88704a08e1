"""A client of the test provider over plain HTTP, with the standard library only."""

import http.client
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ostrom.testing.provider import Provider

ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "contribution": {"type": "integer", "minimum": 0, "maximum": 20},
        "vote": {"type": "string", "enum": ["Ash", "Elm", "nobody"]},
        "reasoning": {"type": "string", "description": "a text of at most 5 words"},
    },
    "required": ["contribution", "vote", "reasoning"],
    "additionalProperties": False,
}
TAGS = (
    "<contribution>…</contribution> with a whole number from 0 to 20\n"
    "<share>…</share> with a number from 0 to 1\n"
    "<vote>…</vote> with one of Ash, Elm, nobody\n"
    "<message>…</message> with a text of at most 3 words\n"
    "<punish>…</punish> with nobody, or one of P1, P3 and a whole number from 1 to 10, as in P1=1"
)


@dataclass(frozen=True)
class Heard:
    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = self.body["choices"][0]["message"]
        return message

    @property
    def text(self) -> str:
        """The words of the reply, or the arguments of its tool call."""
        if self.message.get("tool_calls"):
            return str(self.message["tool_calls"][0]["function"]["arguments"])
        return str(self.message["content"])

    @property
    def finish_reason(self) -> str:
        return str(self.body["choices"][0]["finish_reason"])


def connect(base_url: str, timeout: float = 600.0) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=timeout)


def get(base_url: str, path: str) -> Heard:
    connection = connect(base_url)
    try:
        connection.request("GET", path)
        return _heard(connection)
    finally:
        connection.close()


def post(
    base_url: str, document: object, reference: str = "", connection: http.client.HTTPConnection | None = None
) -> Heard:
    used = connection or connect(base_url)
    try:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        headers = {"Content-Type": "application/json", "Authorization": "Bearer sk-secret"}
        if reference:
            headers["X-Client-Request-Id"] = reference
        used.request("POST", "/v1/chat/completions", body, headers)
        return _heard(used)
    finally:
        if connection is None:
            used.close()


def _heard(connection: http.client.HTTPConnection) -> Heard:
    response = connection.getresponse()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Heard(response.status, headers, json.loads(response.read()))


def chat(words: str, form: str = "native", schema: object = ANSWER, **more: Any) -> dict[str, Any]:
    """A request in one of the forms of answers."""
    request: dict[str, Any] = {"model": "m"}
    if form == "native":
        request["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    elif form == "tool":
        function = {"name": "answer", "parameters": schema}
        request |= {"tools": [{"type": "function", "function": function}], "tool_choice": "required"}
    elif form == "prompted":
        words += "\nAnswer with JSON of this schema:\n" + json.dumps(schema, separators=(",", ":"))
    elif form == "tags":
        words += "\nAnswer in these tags, each on a line:\n" + TAGS
    return request | {"messages": [{"role": "user", "content": words}]} | more


def tags_in(text: str) -> dict[str, str]:
    """Return the content of every complete tag; the last of several."""
    return dict(re.findall(r"<(\w+)>(.*?)</\1>", text))


def wait_until_in_flight(provider: Provider, count: int) -> None:
    """Wait until the provider has this many requests that it has not answered."""
    for _ in range(60_000):
        if provider.account()["in_flight"] == count:
            return
        time.sleep(0.01)
    raise AssertionError(f"the provider never had {count} requests in flight")
