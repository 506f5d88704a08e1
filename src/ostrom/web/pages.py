"""The built pages, and single pages of games that can be opened from disk. Such a page is the viewer with the record of
a game inside. This module needs no web framework, so it works without the extra `web`. The security policy of the page
allows the viewer's script by its hash. The hash stays valid, since the record is data and not a script."""

import os
from pathlib import Path
from typing import Final

from ostrom.charts.palette import with_names_and_colours
from ostrom.core import InputError
from ostrom.core.files import write_text
from ostrom.core.outlets import in_script
from ostrom.journal.record import GameRecord, record_text, with_tellings

VARIABLE: Final = "OSTROM_PAGES"
"""The environment variable that names another folder of built pages."""
NOT_BUILT: Final = "the pages are not built; in a checkout, run: make pages"
VIEWER: Final = "viewer.html"
_NO_GAME: Final = '<script id="game" type="application/json">null</script>'
"""The element of the viewer that the game replaces."""


def pages_folder() -> Path:
    """Return the folder of the built pages; raise `InputError` if they are not built."""
    return built_file("index.html").parent


def built_file(page: str) -> Path:
    """Return one of the built files; raise `InputError` if it is not built."""
    file = Path(os.environ.get(VARIABLE) or Path(__file__).parent / "pages") / page
    if not file.is_file():
        raise InputError(NOT_BUILT)
    return file


def page_of(record: GameRecord) -> str:
    """Return the viewer with a game inside, with the names that the record gives to the players or, if it has no names,
    the usual names for their ids."""
    viewer = built_file(VIEWER).read_text(encoding="utf-8")
    if viewer.count(_NO_GAME) != 1:
        raise InputError("the built viewer belongs to another version of Ostrom; in a checkout, run: make pages")
    game = in_script(record_text(with_tellings(with_names_and_colours(record))).rstrip())
    return viewer.replace(_NO_GAME, _NO_GAME.replace("null", game))


def write_page(path: str | os.PathLike[str], record: GameRecord) -> None:
    """Write the page of a game atomically."""
    write_text(path, page_of(record))


def write_viewer(path: str | os.PathLike[str]) -> None:
    """Write the viewer without a game. Users can drop records on it."""
    write_text(path, built_file(VIEWER).read_text(encoding="utf-8"))
