"""Scenarios of the catalogue, and sending their replies: whole, cut, in chunks, byte by byte, or not at all."""

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from ostrom.testing.provider.answers import texts
from ostrom.testing.provider.http import ClientConnection

Document: TypeAlias = dict[str, Any]
Body: TypeAlias = Callable[[Document], bytes]
"""Makes the body of a reply from the document that a correct server would send."""
Charge: TypeAlias = Literal["nothing", "usage", "most", "stated"]
"""The charge for a call: nothing; the tokens really used; the maximum, a token for every byte of the prompt and the
longest reply allowed; or the stated usage."""
Way: TypeAlias = Literal[
    "whole",
    "cut",
    "head_cut",
    "close",
    "reset",
    "hang",
    "hang_after_head",
    "hang_in_body",
    "drip",
    "chunked",
    "chunked_cut",
    "chunked_wrong",
    "to_the_end",
    "short_length",
    "twice",
    "late",
]
"""The way of sending a reply."""


def plain(document: Document) -> bytes:
    """Return the body of a correct server."""
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A behaviour of the provider, applied to every call of a model."""

    name: str
    what: str
    """The behaviour in words."""
    charges: Charge = "usage"
    status: int = 200
    body: Body = plain
    headers: Sequence[tuple[str, str]] = (("Content-Type", "application/json"),)
    way: Way = "whole"
    line: str = ""
    """The status line of the reply, if it does not follow from the status."""


@dataclass(frozen=True, slots=True)
class TokenCharge:
    """The tokens charged for a call."""

    input_tokens: int = 0
    output_tokens: int = 0


def charge_of(scenario: Scenario, document: Document, request: Mapping[str, Any]) -> TokenCharge:
    """Return the provider's charge for a call."""
    usage = document["usage"]
    match scenario.charges:
        case "nothing":
            return TokenCharge()
        case "usage":
            return TokenCharge(usage["prompt_tokens"], usage["completion_tokens"])
        case "most":
            prompt = sum(len(text.encode("utf-8", "replace")) for _, text in texts(request["messages"]))
            most = request.get("max_completion_tokens") or request.get("max_tokens") or usage["completion_tokens"]
            return TokenCharge(prompt, int(most))
    stated = json.loads(scenario.body(document))["usage"]
    return TokenCharge(stated["prompt_tokens"], stated["completion_tokens"])


async def deliver(scenario: Scenario, document: Document, key: str, connection: ClientConnection, pause: float) -> None:
    """Send the reply in the scenario's way. `[KEY]` in a header or a body becomes the client's own key, `[KEY:base64]`
    and similar marks its encodings."""
    write, close = connection.transport.write, connection.transport.close
    body = with_key(scenario.body(document), key)
    names = [*scenario.headers, *_framing(scenario, len(body))]
    lines = [scenario.line or f"HTTP/1.1 {scenario.status} As-It-Is", *(f"{name}: {value}" for name, value in names)]
    head = with_key("\r\n".join([*lines, "", ""]).encode("latin-1", "replace"), key)
    match scenario.way:
        case "close":
            close()
        case "reset":
            connection.transport.abort()
        case "hang":
            await asyncio.Event().wait()
        case "head_cut":
            write(head[: len(head) // 2])
            close()
        case "hang_after_head" | "hang_in_body":
            write(head if scenario.way == "hang_after_head" else head + body[: len(body) // 2])
            await asyncio.Event().wait()
        case "drip":
            write(head)
            for place in range(len(body) - 1):
                write(body[place : place + 1])
                await asyncio.sleep(pause)
            await asyncio.Event().wait()
        case "cut":
            write(head + body[: len(body) // 2])
            close()
        case "chunked" | "chunked_cut" | "chunked_wrong":
            write(head + _chunks(body, scenario.way))
            if scenario.way != "chunked":
                close()
        case "to_the_end" | "short_length":
            write(head + body)
            close()
        case "twice":
            write(head + body + head + body)
        case "late":
            await asyncio.sleep(pause)
            write(head + body)
        case _:
            write(head + body)


def with_key(content: bytes, key: str) -> bytes:
    """Return the content with the client's key in the marked places."""
    if b"[KEY" not in content:
        return content
    forms = {
        "": key,
        ":base64": b64encode(f"user:{key}".encode()).decode(),
        ":hex": key.encode().hex(),
        ":json": json.dumps(key)[1:-1],
        ":escapes": "".join(f"\\u{ord(each):04x}" for each in key),
        ":quoted": quote(key, safe=""),
        ":html": escape(key),
    }
    for form, encoded in forms.items():
        content = content.replace(f"[KEY{form}]".encode(), encoded.encode())
    return content


def _framing(scenario: Scenario, length: int) -> list[tuple[str, str]]:
    if scenario.way.startswith("chunked"):
        return [("Transfer-Encoding", "chunked")]
    if scenario.way == "to_the_end":
        return [("Connection", "close")]
    if scenario.way == "short_length":
        return [("Content-Length", str(length // 2)), ("Connection", "close")]
    header_names = {name.lower() for name, _ in scenario.headers}
    return (
        [] if "content-length" in header_names or scenario.status in (204, 304) else [("Content-Length", str(length))]
    )


def _chunks(body: bytes, way: str) -> bytes:
    half = len(body) // 2
    first, second = (b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:half], body[half:]))
    if way == "chunked_cut":
        return first
    return first + (b"zz\r\n" if way == "chunked_wrong" else second + b"0\r\n\r\n")
