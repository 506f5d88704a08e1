"""The server's messages in the terminal. Their number is limited, because a client may cause an error a million times.
Messages of each kind are printed only a few times a minute; further ones are only counted."""

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ostrom.core.files import TOO_MANY_FILES, is_file_limit
from ostrom.core.outlets import complain

_PERIOD_S: Final = 60.0
_MAX_PER_PERIOD: Final = 3
_MAX_KINDS: Final = 200
"""The largest number of kinds of messages that are counted separately. All further kinds count as one kind."""


class TerseLog:
    """Prints messages to standard error, but only a few of each kind."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kinds: dict[str, tuple[float, int]] = {}
        """For each kind of message, the start of its period, and the number of messages in this period."""

    def say(self, kind: str, line: str, error: BaseException | None = None) -> None:
        """Print a message, with the traceback of an error, unless too many of its kind were printed recently."""
        omitted = self.admit(kind)
        if omitted is None:
            return
        more = f" ({omitted:,} more like this were not shown)" if omitted else ""
        complain(f"{line}{more}")
        if error is not None:
            traceback.print_exception(error)

    def admit(self, kind: str) -> int | None:
        """Return the number of messages that were omitted since the last printed one. Return None if this message is
        omitted too."""
        kind = kind if kind in self._kinds or len(self._kinds) < _MAX_KINDS else ""
        now = self._clock()
        since, count = self._kinds.get(kind, (now, 0))
        if now - since >= _PERIOD_S:
            self._kinds[kind] = (now, 1)
            return max(0, count - _MAX_PER_PERIOD)
        self._kinds[kind] = (since, count + 1)
        return 0 if count < _MAX_PER_PERIOD else None

    def say_bug(self, line: str, error: Exception) -> None:
        """Print a bug with its traceback, at most a few times for each place in the code."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        place = f"{last[0].filename}:{last[0].lineno}" if last else ""
        self.say(f"{type(error).__name__} {place}", line, error)

    @contextmanager
    def over_asyncio(self) -> Iterator[None]:
        """Also limit the messages of asyncio, which prints long messages for every failed accept and every failed
        task."""
        logger = logging.getLogger("asyncio")

        def is_admitted(record: logging.LogRecord) -> bool:
            error = record.exc_info[1] if record.exc_info else None
            if isinstance(error, OSError) and is_file_limit(error):
                self.say("files", f"{TOO_MANY_FILES}; new connections are refused until one is closed")
                return False
            return self.admit(f"asyncio {record.getMessage()[:40]}") is not None

        logger.addFilter(is_admitted)
        try:
            yield
        finally:
            logger.removeFilter(is_admitted)


LOG: Final = TerseLog()
