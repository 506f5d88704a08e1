"""What a server says to its terminal, bounded: whoever causes an error may cause it a million times, and each kind of
line is said a few times a minute and counted beyond that."""

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ostrom.core.files import TOO_MANY, are_too_many
from ostrom.core.outlets import complain

_WITHIN: Final = 60.0
"""Seconds in which so many lines of one kind are said."""
_OFTEN: Final = 3
_KINDS: Final = 200
"""Kinds that are told apart; the others count as one."""


class TerseLog:
    """Says lines to standard error, few of each kind."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kinds: dict[str, tuple[float, int]] = {}
        """When the minute of a kind began, and how many came in it."""

    def say(self, kind: str, line: str, error: BaseException | None = None) -> None:
        """Say a line of a kind, with the traceback of a bug, unless enough of the kind were said of late."""
        passed_over = self.admit(kind)
        if passed_over is None:
            return
        more = f" ({passed_over:,} more like this were not shown)" if passed_over else ""
        complain(f"{line}{more}")
        if error is not None:
            traceback.print_exception(error)

    def admit(self, kind: str) -> int | None:
        """None where enough of this kind were said; else how many were not, since the last one that was."""
        kind = kind if kind in self._kinds or len(self._kinds) < _KINDS else ""
        now = self._clock()
        since, count = self._kinds.get(kind, (now, 0))
        if now - since >= _WITHIN:
            self._kinds[kind] = (now, 1)
            return max(0, count - _OFTEN)
        self._kinds[kind] = (since, count + 1)
        return 0 if count < _OFTEN else None

    def say_bug(self, line: str, error: Exception) -> None:
        """Say that a bug was met, once or twice for each place in the code."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        place = f"{last[0].filename}:{last[0].lineno}" if last else ""
        self.say(f"{type(error).__name__} {place}", line, error)

    @contextmanager
    def over_asyncio(self) -> Iterator[None]:
        """Within this, what asyncio itself has to say is bounded too: it says a page each time that no connection can
        be accepted, and for every task that fails."""
        logger = logging.getLogger("asyncio")

        def few(record: logging.LogRecord) -> bool:
            error = record.exc_info[1] if record.exc_info else None
            if isinstance(error, OSError) and are_too_many(error):
                self.say("files", f"{TOO_MANY}; until one is closed, nobody else is let in")
                return False
            return self.admit(f"asyncio {record.getMessage()[:40]}") is not None

        logger.addFilter(few)
        try:
            yield
        finally:
            logger.removeFilter(few)


LOG: Final = TerseLog()
"""The terminal of this process."""
