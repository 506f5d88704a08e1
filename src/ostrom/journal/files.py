"""The files of an SQLite journal: made for their owner only, and noticed when one is deleted or replaced while the
journal is open. What is written to a file that is deleted is lost with the process, so that they are looked at before
anything is read and before anything written is confirmed."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from ostrom.core import JournalError

OWNER_ONLY: Final = 0o600
_BESIDE: Final = ("-wal", "-shm")
"""What lies beside the file while somebody has it open: the log, which holds what was written last, and its index."""


def make_for_owner(file: Path) -> None:
    """Make an empty file that its owner alone can read, where there is none. SQLite gives its mode to what it makes
    beside it. Where it cannot be made, whoever opens it is told why."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))


class Files:
    """The file of a journal and those beside it, as they were first found."""

    def __init__(self, file: Path, label: str) -> None:
        self._file = file
        self._label = label
        self._found: dict[str, tuple[int, int]] = {}
        self._lost: str | None = None
        self.open = 0
        """Connections of this process. While one is open that has read something, nobody else removes the log."""

    def check(self) -> None:
        """Refuse to go on where the file is gone, or is not the one that was first found there; one that is yet to be
        made is neither."""
        try:
            there = _identity(self._file)
        except OSError:
            return  # whoever opens it is told why it cannot be
        if there is None and "" in self._found:
            raise JournalError(f"{self._was('deleted or moved')}; restore it, or restart Ostrom")
        if there is not None and self._found.setdefault("", there) != there:
            raise JournalError(f"{self._was('replaced by another file')}; restart Ostrom to use the new file")

    def check_log(self, rescue: Callable[[], bool]) -> None:
        """The same for what lies beside it. Where the log is gone, what stands in it alone is still known to a
        connection that was open before; `rescue` has one write it into the file, and says whether that went well."""
        if self._lost is None and any(self._is_gone(ending) for ending in _BESIDE):
            # A log that somebody made anew would be overwritten.
            kept = not self._is_gone("-wal") or (not os.path.lexists(self._beside("-wal")) and rescue())
            became = "is kept" if kept else "alone is lost"
            self._lost = (
                f"the log of the journal {self._label} ({self._label}-wal, -shm) was deleted or replaced while "
            )
            self._lost += (
                f"it was open: what it held {became}, and nothing more can be stored until Ostrom is restarted"
            )
        if self._lost is not None:
            raise JournalError(self._lost)

    def _is_gone(self, ending: str) -> bool:
        return ending in self._found and _identity(self._beside(ending)) != self._found[ending]

    def note_log(self) -> None:
        """Remember what lies beside the file; to be called after something was read or written through it."""
        for ending in _BESIDE:
            if ending not in self._found and (there := _identity(self._beside(ending))) is not None:
                self._found[ending] = there

    def closed(self) -> None:
        """One connection less; after the last one the log may go."""
        self.open -= 1
        if not self.open:
            self._found = {ending: there for ending, there in self._found.items() if not ending}

    def _beside(self, ending: str) -> Path:
        # SQLite follows links, and keeps its log beside the file itself.
        return Path(f"{os.path.realpath(self._file)}{ending}")

    def _was(self, what: str) -> str:
        return f"the journal {self._label} was {what} while it was open, and nothing more can be stored in it"


def _identity(file: Path) -> tuple[int, int] | None:
    """Which file it is; None where there is none."""
    try:
        there = os.stat(file)
    except FileNotFoundError:
        return None
    return there.st_dev, there.st_ino
