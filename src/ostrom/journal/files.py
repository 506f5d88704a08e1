"""The files of an SQLite journal. Only their owner may read them. While the journal is open, every read and every
confirmation of a write first checks that the files were not deleted or replaced, since data that is written to a
deleted file is lost when the process ends."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from ostrom.core import JournalError

OWNER_ONLY: Final = 0o600
_SUFFIXES: Final = ("-wal", "-shm")
"""The suffixes of the files beside an open journal: the log with the latest writes, and its index."""


def make_for_owner(file: Path) -> None:
    """Create an empty file that only its owner can read, if there is no file. SQLite gives the same permissions to the
    files beside it. Errors are not raised here, but when the file is opened."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))


class Files:
    """The file of a journal and the files beside it, with the identities that they had when they were first seen."""

    def __init__(self, file: Path, label: str) -> None:
        self._file = file
        self._label = label
        self._seen: dict[str, tuple[int, int]] = {}
        self._lost: str | None = None
        self.open = 0
        """The number of open connections of this process. While a connection that has read data is open, no other
        process removes the log."""

    def check(self) -> None:
        """Raise JournalError if the file was deleted or replaced since it was first seen."""
        try:
            identity = _identity(self._file)
        except OSError:
            return  # The error is raised when the file is opened.
        if identity is None and "" in self._seen:
            raise JournalError(f"{self._was('deleted or moved')}; restore it, or restart Ostrom")
        if identity is not None and self._seen.setdefault("", identity) != identity:
            raise JournalError(f"{self._was('replaced by another file')}; restart Ostrom to use the new file")

    def check_log(self, rescue: Callable[[], bool]) -> None:
        """Raise JournalError if the write-ahead log was deleted or replaced. An open connection can still read the
        content of a deleted log: `rescue` copies that content into the file, and returns whether it succeeded."""
        if self._lost is None and any(self._is_gone(ending) for ending in _SUFFIXES):
            # Otherwise, a new log of another process would be overwritten.
            rescued = not self._is_gone("-wal") or (not os.path.lexists(self._sibling("-wal")) and rescue())
            outcome = "is kept" if rescued else "alone is lost"
            self._lost = (
                f"the log of the journal {self._label} ({self._label}-wal, -shm) was deleted or replaced while "
            )
            self._lost += (
                f"it was open: what it held {outcome}, and nothing more can be stored until Ostrom is restarted"
            )
        if self._lost is not None:
            raise JournalError(self._lost)

    def _is_gone(self, ending: str) -> bool:
        return ending in self._seen and _identity(self._sibling(ending)) != self._seen[ending]

    def note_log(self) -> None:
        """Remember the files beside the journal, after something was read or written through it."""
        for ending in _SUFFIXES:
            if ending not in self._seen and (identity := _identity(self._sibling(ending))) is not None:
                self._seen[ending] = identity

    def closed(self) -> None:
        """Reduce the number of open connections by one. When none is left, the log may be removed."""
        self.open -= 1
        if not self.open:
            self._seen = {ending: identity for ending, identity in self._seen.items() if not ending}

    def _sibling(self, ending: str) -> Path:
        # SQLite follows links, so its log is beside the actual file.
        return Path(f"{os.path.realpath(self._file)}{ending}")

    def _was(self, change: str) -> str:
        return f"the journal {self._label} was {change} while it was open, and nothing more can be stored in it"


def _identity(file: Path) -> tuple[int, int] | None:
    """Return the device and inode numbers of a file, or None if there is no file."""
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
