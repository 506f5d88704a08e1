"""Which key may be sent to which host. The variable of a known provider goes to that provider's own hosts; any other
pair of a variable and a host must have been confirmed by the user, once, and is remembered in a file of the user's own.
No file, journal or server can add to it."""

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
from ostrom.core.files import write_whole
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
    # Anybody can have a host at these: which one is the user's stands in the environment, and not in a list.
    "azure": (("AZURE_OPENAI_API_KEY",), ()),
    "bedrock": (("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"), ()),
    "gateway": (("PYDANTIC_AI_GATEWAY_API_KEY",), ()),
}
"""The better-known providers: the variables in which they look for their keys, and their own hosts."""

_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>(?:/[a-z0-9._~-]*)*)",
    re.IGNORECASE,
)
"""An address that every library reads alike: with other characters, one might see another host in it."""
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_FILE: Final = "keys.json"
_MOST_BYTES: Final = 2**20
_LONG: Final = 16


class Address(NamedTuple):
    """What of a server's address decides whether a key may go there."""

    place: str
    """The host in small letters, and the port where it is not the usual one."""
    encrypted: bool
    here: bool
    """Whether it is this machine, reached over its loopback interface."""
    path: str


def address_of(base_url: str) -> Address | None:
    """The parts of a server's address; None where it is not one."""
    found = _ADDRESS.fullmatch(base_url)
    if found is None:
        return None
    scheme, host = found["scheme"].lower(), found["host"].lower()
    port = _USUAL_PORTS[scheme] if found["port"] is None else int(found["port"])
    try:
        here = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        here = False
        if host.startswith("["):
            return None
    if not 0 < port < 65536 or ".." in host:
        return None
    place = host if port == _USUAL_PORTS[scheme] else f"{host}:{port}"
    return Address(place, scheme == "https", here, found["path"])


def holds_key(path: str) -> bool:
    """Whether a part of an address looks like a key, or is the value of a variable that is named like one. Words,
    versions and dates do not; the long numbers of accounts do, as nobody can tell them from keys."""
    mixed = any(len(run) >= _LONG and not run.isalpha() and not run.isdecimal() for run in re.split(r"[/._~-]", path))
    return mixed or Redactor().shaped(path) != path


class UnconfirmedKey(InputError):
    """A key that the user has not tied to the host which is to get it."""

    def __init__(self, who: str, variable: str, place: str) -> None:
        super().__init__(
            f"{who}: the key in {variable} may not go to {place}; to allow it: {allowing(variable, place)}"
        )
        self.variable, self.place = variable, place


def allowing(variable: str, place: str) -> str:
    """The command that ties a key to a host."""
    return f"ostrom keys allow {variable} {shlex.quote(place)}"


def check_key(who: str, variable: str, base_url: str) -> None:
    """Refuse to send the key in a variable to an address to which the user has not tied it, or over a line that others
    can read."""
    place = check_line(who, variable, base_url).place
    if not is_tied(variable, place):
        raise UnconfirmedKey(who, variable, place)


def check_line(who: str, variable: str, base_url: str) -> Address:
    """Refuse to send a key to another machine without encryption."""
    address = address_of(base_url)
    if address is None:
        raise InputError(f"{who}: the key in {variable} can go to a plain http or https address only")
    if not (address.encrypted or address.here):
        raise InputError(
            f"{who}: the key in {variable} would go to {address.place} over plain HTTP, where others can read it; "
            "use https"
        )
    return address


def is_tied(variable: str, place: str) -> bool:
    """Whether the key in a variable may go to a place: one of its provider's own, or one that the user confirmed."""
    return place in hosts_of(variable) or place in confirmed().get(variable, ())


def hosts_of(variable: str) -> tuple[str, ...]:
    """The hosts of the provider that a variable belongs to; none for any other variable."""
    return next((hosts for variables, hosts in PROVIDERS.values() if variable in variables), ())


def keys_file() -> Path:
    """Where confirmed pairs are remembered."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(home) if os.path.isabs(home) else Path.home() / ".config"
    return folder / "ostrom" / _FILE


def confirmed() -> dict[str, list[str]]:
    """The places that the user has confirmed, by variable."""
    path = keys_file()
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            content = file.read(_MOST_BYTES)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or about.st_uid not in (os.getuid(), 0):
        raise InputError(f"{path} can be written by others, so it is not trusted; chmod 600 {shlex.quote(str(path))}")
    try:
        found = json.loads(content)
        return {str(variable): [str(place) for place in places] for variable, places in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} cannot be read: it must be as 'ostrom keys allow' writes it") from None


def allow(variable: str, host: str) -> str:
    """Remember that a key may go to a host, named as `place_of` takes it; the place that it stands for."""
    if not _VARIABLE.fullmatch(variable):
        # Not repeated: it may be a key.
        raise InputError("the first word must be the name of an environment variable, as in OPENAI_API_KEY")
    place = place_of(host)
    pairs = confirmed()
    if place not in pairs.get(variable, ()):
        _remember({**pairs, variable: sorted({*pairs.get(variable, ()), place})})
    return place


def forget(variable: str, host: str | None = None) -> list[str]:
    """Forget that a key may go to a host, or to any that was confirmed; the places that were forgotten."""
    pairs = confirmed()
    known = pairs.pop(variable, [])
    place = None if host is None else place_of(host)
    gone = [each for each in known if place in (None, each)]
    left = [each for each in known if each not in gone]
    if gone:
        _remember({**pairs, **({variable: left} if left else {})})
    return gone


def place_of(host: str) -> str:
    """The place that a user names, as a host, a host and port, or an address."""
    address = address_of(host if "://" in host else f"https://{host}")
    if address is None or (address.path.strip("/") and "://" not in host):
        raise InputError("the host must be one as in api.example.com, 127.0.0.1:8080 or https://api.example.com/v1")
    if not (address.encrypted or address.here):
        raise InputError(f"no key goes to {address.place} over plain HTTP, where others can read it; use https")
    return address.place


def _remember(pairs: Mapping[str, list[str]]) -> None:
    path = keys_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} cannot be made: {error.strerror or error}") from None
    write_whole(path, json.dumps(pairs, indent=2, sort_keys=True) + "\n", private=True)


@cache
def trusted() -> ssl.SSLContext:
    """Return the certificates that servers are checked against. They are read once: reading takes as long as a call."""
    import httpx2  # needs the extra "models"

    return httpx2.create_ssl_context()
