"""`ostrom show`: a game as readable text. What models wrote is printed as it is, and never reaches the terminal as
anything but text."""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ostrom.cli import options as opt
from ostrom.cli.games import GameName, find_record

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ostrom.core import Event
    from ostrom.core.game import Game

_JOINERS = "\u200c\u200d"
"""Invisible signs that words and emoji are written with, and that move nothing."""


def show(game: GameName, store: opt.Store = None) -> None:
    """Tell a game in words, from its record or from the journal."""
    from rich.text import Text

    from ostrom.cli.output import out
    from ostrom.journal.told import read_events

    record = find_record(game, store)
    out.print(Text(harmless(_title(record.game, record.seed, record.number, record.source))), soft_wrap=True)
    out.print()
    game_, rules, events = read_events(record)
    print_story(game_, rules, events, [seat.player for seat in record.seats])


def print_story(game: "Game", rules: "BaseModel", events: "Sequence[Event]", players: Sequence[str]) -> None:
    """Every event of a game in words."""
    from rich.text import Text

    from ostrom.cli.output import out
    from ostrom.core.seats import told_apart
    from ostrom.core.telling import lines_told

    # Made harmless before they are told, so that names of any kind still line up.
    names = [harmless(name) for name in told_apart(players)]
    for lines in lines_told(game, rules, events, names):
        for line in lines:
            # A `Text` is printed as it is: no markup, no emoji codes, no highlighting.
            out.print(Text(_printable(harmless(line), out.encoding)), soft_wrap=True)


def _title(game: str, seed: int | None, number: int, source: str | None) -> str:
    origin = "" if source is None else f", from {source}"
    return f"{game}{origin}" if seed is None else f"{game}, seed {seed}, game {number}{origin}"


def harmless(text: str) -> str:
    """The text with everything that could steer a terminal, or hide or turn around what stands there, spelled out."""
    return "".join(_spelled(sign) for sign in text)


def _spelled(sign: str) -> str:
    if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or sign in _JOINERS:
        return sign
    return " " if sign == "\t" else sign.encode("unicode_escape", "surrogatepass").decode("ascii")


def _printable(text: str, encoding: str) -> str:
    """The text in signs that the terminal's encoding has."""
    return text.encode(encoding, "backslashreplace").decode(encoding)
