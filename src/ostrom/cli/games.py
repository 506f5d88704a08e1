"""Games that commands are asked for: by the file of a record, or by the name of a game in the journal."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ostrom.core import InputError, RecordError, UnknownName
from ostrom.experiment.options import open_journal
from ostrom.journal import GameRecord, read_record

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A record's file, or the id of a game in the journal, or how it begins.")
]


def find_record(game: str, store: str | None) -> GameRecord:
    """The record that is meant: a file that is there is read, anything else is looked up in the journal."""
    # os.path answers "no" where a name is too long for a path or holds what no path holds; Path would raise.
    if os.path.exists(game):
        return read_record(Path(game))
    if os.sep in game or game.endswith(".json"):
        raise RecordError(f"there is no file {game}")
    return _from_journal(game, store)


def _from_journal(name: str, store: str | None) -> GameRecord:
    with open_journal(store) as journal:
        try:
            return journal.record(name)
        except UnknownName as unknown:
            begun = [row.id for row in journal.games() if row.id.startswith(name)] if name else []
            if not begun:
                raise unknown
            if len(begun) > 1:
                some = ", ".join(begun[:3])
                raise InputError(
                    f"{len(begun)} games begin with {name!r}: {some}, …; give more of the id; "
                    "'ostrom list journal' shows every game in the journal"
                ) from None
            return journal.record(begun[0])
