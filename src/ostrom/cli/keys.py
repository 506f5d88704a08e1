"""`ostrom keys`: the hosts to which each key may be sent."""

import os
from enum import StrEnum
from typing import Annotated, Any

import typer

from ostrom.core import InputError
from ostrom.players.models.keys import PROVIDERS, allow, allowing, confirmed, forget, hosts_of, keys_file
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import Column, Sheet, out, print_json


class What(StrEnum):
    """An action on the pairs of variables and hosts."""

    list = "list"
    allow = "allow"
    forget = "forget"


def keys(
    what: Annotated[
        What, typer.Argument(metavar="[list|allow|forget]", help="List the pairs, allow one, or forget one.")
    ] = What.list,
    variable: Annotated[
        str | None, typer.Argument(metavar="[VARIABLE]", help="The environment variable that holds the key.")
    ] = None,
    host: Annotated[
        str | None,
        typer.Argument(
            metavar="[HOST]",
            help="The host to which the key may be sent: api.example.com, 127.0.0.1:8080 or an address.",
        ),
    ] = None,
    json: opt.Json = False,
) -> None:
    """List, allow or forget the hosts to which the key in a variable may be sent."""
    if what is What.list:
        _list(variable, json=json)
        return
    if variable is None or (host is None and what is What.allow):
        raise InputError(f"name a variable and a host, as in: {allowing('MY_KEY', 'api.example.com')}")
    if what is What.allow:
        assert host is not None
        place = allow(variable, host)
        message = f"The key in {variable} may go to {place}; remembered in {keys_file()}."
    else:
        forgotten = forget(variable, host)
        if not forgotten:
            raise InputError(
                "this pair of a variable and a host was not confirmed; 'ostrom keys' lists all confirmed pairs"
            )
        message = f"The key in {variable} may no longer go to {', '.join(forgotten)}."
    if json:
        _list(variable, json=True)
    else:
        out.print(message, soft_wrap=True)


def _list(variable: str | None, *, json: bool) -> None:
    rows = [row for row in _pairs() if variable in (None, row["variable"])]
    if json:
        print_json({"keys": rows, "file": str(keys_file())})
        return
    columns = [Column("variable"), Column("host", wraps=True), Column("by"), Column("set")]
    shown = [[*(row[name] for name in ("variable", "host", "by")), "yes" if row["set"] else "no"] for row in rows]
    out.print(Sheet("keys", columns, shown))


def _pairs() -> list[dict[str, Any]]:
    """Return every pair of a variable and a host. The origin of a pair is the provider of the variable, or the user."""
    known = [
        (name, place, provider)
        for provider, (names, _) in PROVIDERS.items()
        for name in names
        for place in hosts_of(name)
    ]
    own = [(name, place, "you") for name, places in sorted(confirmed().items()) for place in places]
    return [
        {"variable": name, "host": place, "by": by, "set": bool(os.environ.get(name))}
        for name, place, by in known + own
    ]
