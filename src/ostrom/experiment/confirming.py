"""Asks the user, in a terminal, whether a key may go to a host to which it was never sent."""

import sys
from collections.abc import Iterable

import typer

from ostrom.core.text import clean
from ostrom.players.base import Contestant
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import UnconfirmedKey, allow


def confirm_keys(models: Iterable[Contestant]) -> None:
    """Ask about every key that is to go to a host and is not tied to it. What is confirmed is remembered; where nobody
    can be asked, whoever would send the key refuses."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for bot in dict.fromkeys(model.bot for model in models if hasattr(model, "bot")):
        try:
            connect(bot)
        except UnconfirmedKey as refusal:
            sending = f"{clean(bot.name)} would send the key in {refusal.variable} to {refusal.place}"
            if not typer.confirm(f"{sending}. Allow it from now on?", default=False, err=True):
                raise
            allow(refusal.variable, refusal.place)
