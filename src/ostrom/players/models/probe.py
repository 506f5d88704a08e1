"""Before any game: whether every bot's key is there, its provider known and its server up. And for `ostrom doctor`:
what of that this machine has, by name, never by value."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ostrom.core import InputError
from ostrom.core.redaction import Redactor
from ostrom.core.text import one_line
from ostrom.players.models.bots import Bot, bot_files, load_bot
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import PROVIDERS, check_key, trusted
from ostrom.players.models.providers import key_of, lacking, model_name, named

_SECONDS = 3.0
_SHOWN = 8
_MOST_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: str
    """'ok', 'absent' or 'broken'."""
    detail: str


class Unreachable(Exception):
    """A server that does not answer."""


def check(bots: Iterable[Bot]) -> None:
    """Raise an `InputError` for the first bot that cannot play: no key, no such provider, a server that does not
    answer or does not have the model."""
    answers: dict[tuple[str, str | None], dict[str, Any]] = {}
    for bot in dict.fromkeys(bots):
        connect(bot)
        if bot.base_url is None:
            continue
        place = (bot.base_url, key_of(bot))
        if place not in answers:
            try:
                answers[place] = _models_at(*place)
            except Unreachable as reason:
                raise InputError(
                    f"{named(bot)}: no server answers at {bot.base_url} ({reason}); start one, or correct base_url"
                ) from None
        listed, name = answers[place], model_name(bot)
        # llama.cpp's server has one model and gives it whatever name it is asked for.
        if listed and "llamacpp" not in listed.values() and name not in listed:
            shown = ", ".join(sorted(listed)[:_SHOWN])
            raise InputError(f"{named(bot)}: the server at {bot.base_url} has no model {name!r}; it has {shown}")


def survey(*, ask: bool = False) -> list[Finding]:
    """Which providers' keys are set, which keys may go where, and which servers of bot files answer. A server is asked
    only if the user has tied the bot's key to it or, with `ask`, wants all of them asked; a key that is not tied to a
    server never goes there."""
    findings = []
    for provider, (variables, _) in PROVIDERS.items():
        there = [variable for variable in variables if os.environ.get(variable)]
        detail = f"{there[0]} is set" if there else f"optional: set {' or '.join(variables)}"
        findings.append(Finding(f"key for {provider}", "ok" if there else "absent", detail))
    try:
        files = bot_files()
    except InputError as error:
        return [*findings, Finding("bots", "broken", str(error))]
    places: dict[tuple[str, str | None, bool], list[str]] = {}
    for name, path in sorted(files.items()):
        try:
            bot = load_bot(path)
            if (lacks := lacking(bot)) is not None:
                findings.append(Finding(f"bot {name}", "absent", lacks))
            key, tied = _key_for(bot, findings)
        except InputError as error:
            findings.append(Finding(f"bot {name}", "broken", str(error)))
            continue
        if bot.base_url is not None:
            places.setdefault((bot.base_url, key, tied or ask), []).append(name)
    servers: dict[str, Finding] = {}
    for (url, key, asked), names in sorted(places.items(), key=lambda place: not place[0][2]):
        servers.setdefault(url, _server(url, key, names) if asked else _unasked(url, names))
    return [*findings, *servers.values()]


def _key_for(bot: Bot, findings: list[Finding]) -> tuple[str | None, bool]:
    """The key that may be sent to the bot's server, if there is one, and whether the user has tied it to the server;
    what is to be said of it goes to the findings."""
    if bot.key_env is None:
        return None, False
    what, key = f"key for bot {bot.name}", os.environ.get(bot.key_env)
    if not key:
        findings.append(Finding(what, "absent", f"{bot.key_env} is not set"))
        return None, False
    try:
        if bot.base_url is not None:
            check_key(named(bot), bot.key_env, bot.base_url)
    except InputError as error:
        findings.append(Finding(what, "absent", str(error)))
        return None, False
    findings.append(Finding(what, "ok", f"{bot.key_env} is set"))
    return key, True


def _unasked(url: str, names: list[str]) -> Finding:
    return Finding(
        f"server {url}", "absent", f"for {', '.join(names)}; was not asked: 'ostrom doctor --servers' asks it"
    )


def _server(url: str, key: str | None, names: list[str]) -> Finding:
    what, of = f"server {url}", f"for {', '.join(names)}"
    if find_spec("httpx2") is None:
        return Finding(what, "absent", f"{of}; not checked, because models need: pip install 'ostrom[models]'")
    try:
        listed = _models_at(url, key)
    except Unreachable as reason:
        return Finding(what, "absent", f"{of}; does not answer ({reason})")
    shown = ", ".join(sorted(listed)[:_SHOWN])
    return Finding(what, "ok", f"{of}; answers{f' and has {shown}' if shown else ''}")


def _models_at(url: str, key: str | None) -> dict[str, Any]:
    """The models that a server lists, and to whom each belongs. Any answer shows that it is there."""
    import httpx2

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with (
            httpx2.Client(timeout=_SECONDS, verify=trusted()) as client,
            client.stream("GET", f"{url}/models", headers=headers) as response,
        ):
            if response.status_code != 200 or int(response.headers.get("content-length") or 0) > _MOST_BYTES:
                return {}
            content = b""
            for piece in response.iter_bytes():
                content += piece
                if len(content) > _MOST_BYTES:
                    return {}
        data = json.loads(content)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise Unreachable(one_line(f"{type(error).__name__}: {error}", 200, also=key)) from None
    except ValueError:
        return {}
    models = data.get("data") if isinstance(data, dict) else None
    known = [each for each in models if isinstance(each, dict)] if isinstance(models, list) else []
    redact = Redactor([key])
    return {redact(each["id"]): each.get("owned_by") for each in known if isinstance(each.get("id"), str)}
