"""The built pages: where they lie, and a game as one page that opens from disk: the viewer, with the game's record
inside. It knows no framework: a game becomes a page where no server is installed. The record is data and not script, so
the page's security policy, which allows the viewer's own script by its hash, holds as it is."""

import os
from pathlib import Path
from typing import Final

from ostrom.charts.palette import dressed
from ostrom.core import InputError
from ostrom.core.files import write_whole
from ostrom.core.outlets import in_script
from ostrom.journal.record import GameRecord, record_text, with_tellings

VARIABLE: Final = "OSTROM_PAGES"
"""The environment variable that names another folder of built pages."""
NOT_BUILT: Final = "the pages are not built; in a checkout, run: make pages"
VIEWER: Final = "viewer.html"
_NO_GAME: Final = '<script id="game" type="application/json">null</script>'
"""The place for a game, as the viewer comes with it."""


def pages_folder() -> Path:
    """The folder of the built pages; refused where there are none."""
    return built("index.html").parent


def built(page: str) -> Path:
    """One of the pages; refused where it is not built."""
    file = Path(os.environ.get(VARIABLE) or Path(__file__).parent / "pages") / page
    if not file.is_file():
        raise InputError(NOT_BUILT)
    return file


def page_of(record: GameRecord) -> str:
    """The viewer with a game inside, its players called as the record says, or else as their ids are known."""
    viewer = built(VIEWER).read_text(encoding="utf-8")
    if viewer.count(_NO_GAME) != 1:
        raise InputError("the built viewer belongs to another version of Ostrom; in a checkout, run: make pages")
    game = in_script(record_text(with_tellings(dressed(record))).rstrip())
    return viewer.replace(_NO_GAME, _NO_GAME.replace("null", game))


def write_page(path: str | os.PathLike[str], record: GameRecord) -> None:
    """Write the page as a whole or not at all."""
    write_whole(path, page_of(record))


def write_viewer(path: str | os.PathLike[str]) -> None:
    """Write the viewer without a game, for records that are dropped on it."""
    write_whole(path, built(VIEWER).read_text(encoding="utf-8"))
