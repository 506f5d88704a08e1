"""The hosts to which an API key may be sent. The key in the environment variable of a known provider may be sent to
that provider's own hosts. For any other pair of a variable and a host, the user must confirm once that the key may be
sent. Confirmed pairs are stored in a file of the user. No bot file, journal or server can add to that file."""

import ipaddress
import json
import os
import re
import shlex
import ssl
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from ostrom.core import InputError
from ostrom.core.files import read_bounded, write_text
from ostrom.core.redaction import Redactor

PROVIDERS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "openai": (("OPENAI_API_KEY",), ("api.openai.com", "eu.api.openai.com", "us.api.openai.com")),
    "anthropic": (("ANTHROPIC_API_KEY",), ("api.anthropic.com",)),
    "google": (("GOOGLE_API_KEY", "GEMINI_API_KEY"), ("generativelanguage.googleapis.com",)),
    "groq": (("GROQ_API_KEY",), ("api.groq.com",)),
    "mistral": (("MISTRAL_API_KEY",), ("api.mistral.ai",)),
    "deepseek": (("DEEPSEEK_API_KEY",), ("api.deepseek.com",)),
    "openrouter": (("OPENROUTER_API_KEY",), ("openrouter.ai",)),
    "xai": (("XAI_API_KEY",), ("api.x.ai",)),
    "cohere": (("CO_API_KEY",), ("api.cohere.com", "api.cohere.ai")),
    "together": (("TOGETHER_API_KEY",), ("api.together.xyz", "api.together.ai")),
    "fireworks": (("FIREWORKS_API_KEY",), ("api.fireworks.ai",)),
    "cerebras": (("CEREBRAS_API_KEY",), ("api.cerebras.ai",)),
    "huggingface": (("HF_TOKEN",), ("router.huggingface.co", "api-inference.huggingface.co")),
    # Every customer of these providers has a separate host, whose name is in the environment.
    "azure": (("AZURE_OPENAI_API_KEY",), ()),
    "bedrock": (("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"), ()),
    "gateway": (("PYDANTIC_AI_GATEWAY_API_KEY",), ()),
}
"""Known providers, each with the environment variables of its keys and with its own hosts."""

_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>(?:/[a-z0-9._~-]*)*)",
    re.IGNORECASE,
)
"""The pattern of addresses that every library parses in the same way. Other characters could hide another host."""
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_FILE: Final = "keys.json"
_MAX_FILE_BYTES: Final = 2**20
_MIN_KEY_LENGTH: Final = 16


class Address(NamedTuple):
    """The parts of a server's address that decide whether a key may be sent to it."""

    place: str
    """The host in lower case, and the port if it is not the default."""
    encrypted: bool
    local: bool
    """True if the host is the loopback interface of this machine."""
    path: str


def address_of(base_url: str) -> Address | None:
    """Return the parts of a server's address, or None if the text is not a valid address."""
    match = _ADDRESS.fullmatch(base_url)
    if match is None:
        return None
    scheme, host = match["scheme"].lower(), match["host"].lower()
    port = _USUAL_PORTS[scheme] if match["port"] is None else int(match["port"])
    try:
        local = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        local = False
        if host.startswith("["):
            return None
    if not 0 < port < 65536 or ".." in host:
        return None
    place = host if port == _USUAL_PORTS[scheme] else f"{host}:{port}"
    return Address(place, scheme == "https", local, match["path"])


def holds_key(path: str) -> bool:
    """Return whether a part of an address looks like a key, or is the value of a variable whose name is that of a key.
    Words, versions and dates do not look like keys. Long account numbers do, because they cannot be distinguished from
    keys."""
    mixed = any(
        len(run) >= _MIN_KEY_LENGTH and not run.isalpha() and not run.isdecimal() for run in re.split(r"[/._~-]", path)
    )
    return mixed or Redactor().shaped(path) != path


class UnconfirmedKey(InputError):
    """Raised if the user has not allowed a key for a host."""

    def __init__(self, owner: str, variable: str, place: str) -> None:
        super().__init__(
            f"{owner}: the key in {variable} may not go to {place}; to allow it: {allowing(variable, place)}"
        )
        self.variable, self.place = variable, place


def allowing(variable: str, place: str) -> str:
    """Return the command with which the user allows a key for a host."""
    return f"ostrom keys allow {variable} {shlex.quote(place)}"


def check_key(owner: str, variable: str, base_url: str) -> None:
    """Raise `InputError` if the key in a variable is not allowed for an address, or would be sent there without
    encryption."""
    place = check_line(owner, variable, base_url).place
    if not is_tied(variable, place):
        raise UnconfirmedKey(owner, variable, place)


def check_line(owner: str, variable: str, base_url: str) -> Address:
    """Return the parts of an address. Raises `InputError` if a key would be sent to another machine without
    encryption."""
    address = address_of(base_url)
    if address is None:
        raise InputError(f"{owner}: the key in {variable} can be sent only to a valid http or https address")
    if not (address.encrypted or address.local):
        raise InputError(
            f"{owner}: the key in {variable} would go to {address.place} over plain HTTP, where others can read it; "
            "use https"
        )
    return address


def is_tied(variable: str, place: str) -> bool:
    """Return whether the key in a variable may be sent to a host. The host must be one of the provider's own, or the
    user must have confirmed it."""
    return place in hosts_of(variable) or place in confirmed().get(variable, ())


def hosts_of(variable: str) -> tuple[str, ...]:
    """Return the hosts of the provider whose key is in this variable. There are none for an unknown variable."""
    return next((hosts for variables, hosts in PROVIDERS.values() if variable in variables), ())


def keys_file() -> Path:
    """Return the path of the file with the confirmed pairs of a variable and a host."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(home) if os.path.isabs(home) else Path.home() / ".config"
    return folder / "ostrom" / _FILE


def confirmed() -> dict[str, list[str]]:
    """Return the hosts that the user has confirmed, by variable. Raises `InputError` if the file is invalid or writable
    by others."""
    path = keys_file()
    try:
        content = read_bounded(path, _MAX_FILE_BYTES)
        status = path.stat()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or status.st_uid not in (os.getuid(), 0):
        raise InputError(f"{path} can be written by others, so it is not trusted; chmod 600 {shlex.quote(str(path))}")
    try:
        pairs = json.loads(content)
        return {str(variable): [str(place) for place in places] for variable, places in pairs.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} cannot be read: it must be as 'ostrom keys allow' writes it") from None


def allow(variable: str, host: str) -> str:
    """Store that a key may be sent to a host, which is written in a form that `place_of` accepts. Return the host."""
    if not _VARIABLE.fullmatch(variable):
        # The error does not repeat the text, because it may be a key.
        raise InputError("the first word must be the name of an environment variable, as in OPENAI_API_KEY")
    place = place_of(host)
    pairs = confirmed()
    if place not in pairs.get(variable, ()):
        _write_confirmed({**pairs, variable: sorted({*pairs.get(variable, ()), place})})
    return place


def forget(variable: str, host: str | None = None) -> list[str]:
    """Remove the confirmation of a key for a host, or for all hosts. Return the removed hosts."""
    pairs = confirmed()
    places = pairs.pop(variable, [])
    place = None if host is None else place_of(host)
    removed = list(places) if place is None else [known for known in places if known == place]
    remaining = [known for known in places if known not in removed]
    if removed:
        _write_confirmed({**pairs, **({variable: remaining} if remaining else {})})
    return removed


def place_of(host: str) -> str:
    """Return the host in a text that a user typed: a host, a host with a port, or an address. Raise `InputError` for
    other texts."""
    address = address_of(host if "://" in host else f"https://{host}")
    if address is None or (address.path.strip("/") and "://" not in host):
        raise InputError("the host must be one as in api.example.com, 127.0.0.1:8080 or https://api.example.com/v1")
    if not (address.encrypted or address.local):
        raise InputError(f"no key goes to {address.place} over plain HTTP, where others can read it; use https")
    return address.place


def _write_confirmed(pairs: Mapping[str, list[str]]) -> None:
    path = keys_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} cannot be created: {error.strerror or error}") from None
    write_text(path, json.dumps(pairs, indent=2, sort_keys=True) + "\n", private=True)


@cache
def trusted() -> ssl.SSLContext:
    """Return the SSL context that verifies servers' certificates. It is created only once, since reading certificates
    takes as long as a call."""
    import httpx2  # this needs the extra "models"

    return httpx2.create_ssl_context()
