"""Waiting for a journal that cannot be reached for a while: its server restarts, somebody holds a lock. Within limits:
then whoever writes is told, and what is kept can be gone on with."""

import math
import os
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from ostrom.core import InputError, JournalError

OUTAGE: Final = 300.0
"""Seconds that a journal may be out of reach before what is to be stored in it fails."""
VARIABLE: Final = "OSTROM_STORE_WAIT"
"""The environment variable that sets another number of seconds."""
_FIRST: Final = 0.05
_LONGEST: Final = 2.0
"""Seconds between two attempts; each wait is twice the one before."""

Result = TypeVar("Result")


class Patience:
    """Tries again what failed because the journal was out of reach, for all threads together: once that has lasted too
    long, everything fails at its first attempt, until one succeeds."""

    def __init__(self) -> None:
        self.told: Callable[[str], None] = lambda _reason: None
        """Is told, once an outage, why it waits."""
        self.limit = _limit()
        self._lock = threading.Lock()
        self._since: float | None = None

    def through(self, work: Callable[[], Result]) -> Result:
        """Do what may be done twice, again and again until it succeeds, or fails for another reason."""
        attempts = 0
        while True:
            try:
                result = work()
            except JournalError as error:
                attempts += 1
                if not self.again(error, attempts):
                    raise
            else:
                self.over()
                return result

    def again(self, error: JournalError, attempts: int) -> bool:
        """Wait a while after a failure; whether to try again."""
        if not error.passing:
            return False
        with self._lock:
            first, now = self._since is None, time.monotonic()
            self._since = since = now if self._since is None else self._since
        left = since + self.limit - now
        if left <= 0:
            return False
        if first:
            self.told(f"{error}; waiting for it for up to {_minutes(self.limit)}")
        time.sleep(min(left, _LONGEST, _FIRST * 2 ** min(attempts, 10)))
        return True

    def over(self) -> None:
        """The journal is within reach."""
        if self._since is not None:
            with self._lock:
                self._since = None


def _limit() -> float:
    given = os.environ.get(VARIABLE)
    try:
        limit = OUTAGE if given is None else float(given)
    except ValueError:
        limit = math.nan
    if not 0 <= limit < math.inf:
        raise InputError(f"{VARIABLE} is the number of seconds to wait for a journal, such as 300, not {given!r}")
    return limit


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 60 else f"{seconds:g} seconds"
