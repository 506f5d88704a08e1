"""Which file a journal is. A file that is deleted or replaced while it is open still takes whatever is written, and
loses it with the process; so it is looked at before anything is read and before anything written is confirmed."""

import os

from ostrom.core import InputError
from ostrom.journal.location import Location


class Identity:
    """The file at a journal's place, as it was first found there."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._found: tuple[int, int] | None = None

    def check(self) -> None:
        """Refuse to go on where the file is gone, or is another one; a file that is yet to be made is neither."""
        file = self._location.file
        if file is None:
            return
        try:
            there = os.stat(file)
        except FileNotFoundError:
            if self._found is not None:
                raise InputError(f"{self._was('deleted or moved away')}; bring it back, or start anew") from None
            return
        except OSError:
            return  # whoever opens it is told why it cannot be
        now = (there.st_dev, there.st_ino)
        if self._found is None:
            self._found = now
        elif self._found != now:
            raise InputError(f"{self._was('replaced by another file')}; start anew to use that one")

    def _was(self, what: str) -> str:
        return f"the journal {self._location.label} was {what} while it was open, and nothing more can be kept in it"
