"""Findings: what was computed from games that are over. Games that are being played do not disturb it; and as a game
that is over never changes, what was found out about certain games holds for as long as there is room for it."""

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

import polars as pl

from ostrom.analysis.study import Scored, Study
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.journal.sql import Journal
from ostrom.web.desk import Desk
from ostrom.web.library import Library, Volume
from ostrom.web.revision import Revision, Stage
from ostrom.web.shelf import Shelf, bodies

_MOST_ANSWERS: Final = 128 * 2**20
_MOST_THINGS: Final = 384 * 2**20
_ORDINARY: Final = 64 * 2**10
_AN_EVENT: Final = 2**10
"""Bytes that an event takes, about."""

_Found = TypeVar("_Found")


class Findings:
    """One for each journal that is served."""

    def __init__(self, journal: Journal, revision: Revision) -> None:
        self.stage: Final = Stage(journal.ended, revision)
        self.library: Final = Library(journal.ended, self._go_on)
        answers = bodies(self.stage.now, _MOST_ANSWERS)
        self.quick: Final = Desk(answers, 12, self.stage)
        """Where answers are made, by the address that was asked for; they stay until another game ends."""
        self.slow: Final = Desk(answers, 1, self.stage)
        """The same for what takes many seconds."""
        self._over = False
        self._things: Shelf[Any] = Shelf(lambda: 0, _MOST_THINGS, _bytes)

    def end(self) -> None:
        """Begin nothing more: the server stops."""
        self._over = True

    def _go_on(self) -> None:
        if self._over:
            raise InputError("the server is stopping; ask again when it is back")

    def volume(self, study: Study[Any]) -> Volume:
        """All games of a kind that are over now."""
        return self.library.volume(study, self.stage.now())

    def kept(self, name: Hashable, make: Callable[[], _Found]) -> _Found:
        """What `make` gives, which depends on nothing but what the name says, or what it gave before."""
        self._go_on()
        found: _Found = self._things.made(name, make)
        return found


def _bytes(thing: object) -> int:
    """About how much room a thing takes."""
    if isinstance(thing, pl.DataFrame):
        return int(thing.estimated_size()) + _ORDINARY
    if isinstance(thing, GameTables):
        return sum(map(_bytes, thing.parts.values()))
    if isinstance(thing, Scored):
        return _AN_EVENT * thing.items + _ORDINARY
    return _ORDINARY
