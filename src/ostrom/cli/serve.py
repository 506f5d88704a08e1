"""`ostrom serve`: the lab in the browser, over a journal."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import quote

import typer
from fastapi import FastAPI

from ostrom.core import InputError
from ostrom.experiment import options as opt
from ostrom.experiment.console import at_store
from ostrom.experiment.hosting import Host
from ostrom.experiment.options import open_journal
from ostrom.journal.engine import locate, store_url
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.middleware import LOOPBACK
from ostrom.web.pages import pages_folder
from ostrom.web.server import listening, server_address
from ostrom.web.server import serve as serve_app
from ostrom.web.service import Service

INTERRUPTED: Final = 130
"""The exit status of what was ended at once."""
VARIABLE: Final = "OSTROM_TOKEN"
"""The environment variable that holds the token: what stands in a command can be read in the list of processes."""


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; one that others reach needs --token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any that is free.")] = 8000,
    store: opt.Store = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help=f"What a reader must know; eight characters or more. Else {VARIABLE}."),
    ] = None,
) -> None:
    """Serve the lab's pages: watch, replay, compare, and take a seat. Ctrl-C stops."""
    wanted = token_wanted(token)
    alone = check_open(host, wanted)
    folder = pages_folder()
    with listening(host, port) as bound, _journal(store) as journal:
        hosting = Host(journal)
        address = server_address(bound, host)
        service = Service(journal, hosting, token=wanted, address=None if alone else address)
        app = create_app(service, folder, LOOPBACK if alone else None)
        played = asyncio.run(_until_stopped(app, bound, hosting, opened_at(address, token, wanted)))
        say_how_to_go_on(journal, played, store)


def token_wanted(option: str | None) -> str | None:
    """What a reader must know: the option, else what the environment says; refused where it can be guessed or cannot be
    typed."""
    token = option if option is not None else os.environ.get(VARIABLE) or None
    if token is not None and (len(token) < 8 or not token.isascii() or not token.isprintable() or " " in token):
        said = VARIABLE if option is None else "--token"
        raise InputError(f"{said} takes eight or more characters that can be typed, without spaces")
    return token


def check_open(host: str, token: str | None) -> bool:
    """Whether only this machine reaches the server; one that others reach is refused without a token."""
    if host not in LOOPBACK and token is None:
        raise InputError(
            f"--host {host} can be reached by others: say with --token TOKEN, or in {VARIABLE}, what they must know"
        )
    return host in LOOPBACK


def opened_at(address: str, option: str | None, wanted: str | None) -> str:
    """Where the lab is open. A token that the environment holds is not told: who set it did so to keep it off the
    screen."""
    if option is not None:
        address += f"#/?token={quote(option, safe='')}"
    elif wanted is not None:
        return f"The lab is open at {address} and asks for the token that {VARIABLE} holds (Ctrl-C stops)"
    return f"The lab is open at {address} (Ctrl-C stops)"


def _journal(store: str | None) -> Journal:
    """The journal, made where there is none; one that cannot be written is shown and not played in."""
    return open_journal(store, create=locate(store_url(store)).unwritable() is None)


async def _until_stopped(app: FastAPI, bound: socket.socket, hosting: Host, word: str) -> list[str]:
    """Serve until somebody stops it; the ids of the experiments that were being played then."""
    asked, until, loop = asyncio.Event(), asyncio.Event(), asyncio.get_running_loop()

    def interrupted() -> None:
        if asked.is_set():
            os._exit(INTERRUPTED)  # asked twice: whatever is waited for, it is not waited for any longer
        asked.set()

    async def stop() -> list[str]:
        await asked.wait()
        played = hosting.running()
        # Games before the server: who sits at one is told before the page is alone.
        await hosting.close()
        until.set()
        return played

    for heard in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(heard, interrupted)
    stopping = asyncio.create_task(stop())
    try:
        await serve_app(app, bound, until, ready=lambda: print(word, flush=True), warm=True)
    finally:
        asked.set()
        played = await stopping
    return played


def say_how_to_go_on(journal: Journal, played: Sequence[str], store: str | None) -> None:
    """Which experiments were being played and are unfinished, and what to type to go on with them."""
    unfinished = {row.id for row in journal.experiments() if row.state == "unfinished"} if played else set()
    for name in played:
        if name in unfinished:
            print(f"ostrom: {name} stopped; go on with: ostrom resume {name}{at_store(store)}", file=sys.stderr)
