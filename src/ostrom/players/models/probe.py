"""Checks before a game that every bot has its key, a known provider and a running server. For `ostrom doctor`, this
module also surveys the keys and servers on this machine. It reports the names of keys, never their values."""

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ostrom.core import InputError
from ostrom.core.files import parse_json
from ostrom.core.redaction import Redactor
from ostrom.core.text import one_line
from ostrom.players.models.bots import Bot, bot_files, load_bot
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import PROVIDERS, check_key, trusted
from ostrom.players.models.local.connection import connect_local
from ostrom.players.models.local.weights import is_local
from ostrom.players.models.providers import bot_label, key_of, lacking, model_name

_TIMEOUT_S = 3.0
_TOTAL_TIMEOUT_S = 10.0
"""The time limit in seconds for receiving a whole answer, even if it arrives in pieces."""
_MAX_LISTED_MODELS = 8
_MAX_REPLY_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of one check."""

    what: str
    state: str
    """'ok', 'absent' or 'broken'."""
    detail: str


class Unreachable(Exception):
    """Raised for a server that does not answer."""


def check(bots: Iterable[Bot]) -> None:
    """Raise `InputError` for the first bot that cannot play. A bot cannot play without its key, if its provider is
    unknown, or if its server does not answer or does not have the model."""
    answers: dict[tuple[str, str | None], dict[str, Any]] = {}
    for bot in dict.fromkeys(bots):
        if is_local(bot.model):
            connect_local(bot)
            continue
        connect(bot)
        if bot.base_url is None:
            continue
        place = (bot.base_url, key_of(bot))
        if place not in answers:
            try:
                answers[place] = _models_at(*place)
            except Unreachable as reason:
                raise InputError(
                    f"{bot_label(bot)}: no server answers at {bot.base_url} ({reason}); start one, or correct base_url"
                ) from None
        listed, name = answers[place], model_name(bot)
        # The server of llama.cpp has a single model, which it serves under any name.
        if listed and "llamacpp" not in listed.values() and name not in listed:
            names = ", ".join(sorted(listed)[:_MAX_LISTED_MODELS])
            raise InputError(f"{bot_label(bot)}: the server at {bot.base_url} has no model {name!r}; it has {names}")


def survey(*, ask: bool = False) -> list[ProbeResult]:
    """Return the state of providers' keys, of bots' keys, and of the servers of bot files. By default, a server is
    asked only if the user has allowed the bot's key for it. With `ask`, all servers are asked. A key is never sent to a
    server for which it is not allowed."""
    results = []
    for provider, (variables, _) in PROVIDERS.items():
        present = [variable for variable in variables if os.environ.get(variable)]
        detail = f"{present[0]} is set" if present else f"optional: set {' or '.join(variables)}"
        results.append(ProbeResult(f"key for {provider}", "ok" if present else "absent", detail))
    try:
        files = bot_files()
    except InputError as error:
        return [*results, ProbeResult("bots", "broken", str(error))]
    places: dict[tuple[str, str | None, bool], list[str]] = {}
    for name, path in sorted(files.items()):
        try:
            bot = load_bot(path)
            if (missing := lacking(bot)) is not None:
                results.append(ProbeResult(f"bot {name}", "absent", missing))
            key, tied = _key_for(bot, results)
        except InputError as error:
            results.append(ProbeResult(f"bot {name}", "broken", str(error)))
            continue
        if bot.base_url is not None:
            places.setdefault((bot.base_url, key, tied or ask), []).append(name)
    servers: dict[str, ProbeResult] = {}
    for (url, key, may_ask), names in sorted(places.items(), key=lambda place: not place[0][2]):
        servers.setdefault(url, _server(url, key, names) if may_ask else _unasked(url, names))
    return [*results, *servers.values()]


def _key_for(bot: Bot, results: list[ProbeResult]) -> tuple[str | None, bool]:
    """Return the key that may be sent to the bot's server (or None), and whether the user has allowed it. Append the
    check to `results`."""
    if bot.key_env is None:
        return None, False
    what, key = f"key for bot {bot.name}", os.environ.get(bot.key_env)
    if not key:
        results.append(ProbeResult(what, "absent", f"{bot.key_env} is not set"))
        return None, False
    try:
        if bot.base_url is not None:
            check_key(bot_label(bot), bot.key_env, bot.base_url)
    except InputError as error:
        results.append(ProbeResult(what, "absent", str(error)))
        return None, False
    results.append(ProbeResult(what, "ok", f"{bot.key_env} is set"))
    return key, True


def _unasked(url: str, names: list[str]) -> ProbeResult:
    return ProbeResult(
        f"server {url}", "absent", f"for {', '.join(names)}; was not asked: 'ostrom doctor --servers' asks it"
    )


def _server(url: str, key: str | None, names: list[str]) -> ProbeResult:
    what, users = f"server {url}", f"for {', '.join(names)}"
    if find_spec("httpx2") is None:
        return ProbeResult(what, "absent", f"{users}; not checked, because models need: pip install 'ostrom[models]'")
    try:
        listed = _models_at(url, key)
    except Unreachable as reason:
        return ProbeResult(what, "absent", f"{users}; does not answer ({reason})")
    models = ", ".join(sorted(listed)[:_MAX_LISTED_MODELS])
    return ProbeResult(what, "ok", f"{users}; answers{f' and has {models}' if models else ''}")


def _models_at(url: str, key: str | None) -> dict[str, Any]:
    """Return the models that a server lists, with their owners. The result is empty if the answer is not a list of
    models. Raise `Unreachable` if the server does not answer."""
    content = _content_at(f"{url}/models", key)
    try:
        data = parse_json(content, finite=False)
    except ValueError:
        return {}
    models = data.get("data") if isinstance(data, dict) else None
    known = [model for model in models if isinstance(model, dict)] if isinstance(models, list) else []
    redact = Redactor([key])
    return {redact(model["id"]): model.get("owned_by") for model in known if isinstance(model.get("id"), str)}


def _content_at(url: str, key: str | None) -> bytes:
    """Return the body of an answer. It is empty if the answer is too long or has a status other than 200. Raise
    `Unreachable` if the answer takes longer than `_TOTAL_TIMEOUT_S`. The client's own time limit is for each piece, so
    a server could otherwise send single bytes without end."""
    import httpx2

    client = httpx2.Client(timeout=_TIMEOUT_S, verify=trusted())
    outcome: list[bytes | Exception] = []

    def request() -> None:
        try:
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            with client.stream("GET", url, headers=headers) as response:
                outcome.append(_bounded_content(response))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=request, name="probe", daemon=True)
    thread.start()
    thread.join(_TOTAL_TIMEOUT_S)
    with suppress(Exception):  # The other thread may still use the client. That thread ends when the client is closed.
        client.close()
    result = outcome[0] if outcome else Unreachable(f"its answer takes longer than {_TOTAL_TIMEOUT_S:.0f} s")
    if isinstance(result, bytes):
        return result
    if isinstance(result, Unreachable):
        raise result
    if isinstance(result, httpx2.HTTPError | httpx2.InvalidURL | OSError | ValueError):
        raise Unreachable(one_line(f"{type(result).__name__}: {result}", 200, also=key)) from None
    raise result


def _bounded_content(response: Any) -> bytes:
    if response.status_code != 200 or int(response.headers.get("content-length") or 0) > _MAX_REPLY_BYTES:
        return b""
    content = b""
    for piece in response.iter_bytes():
        content += piece
        if len(content) > _MAX_REPLY_BYTES:
            return b""
    return content
