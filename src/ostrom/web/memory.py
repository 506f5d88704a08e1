"""How much memory a server holds on to that nothing is kept in. Threads that come and go each take memory from a place
of their own, which the C library keeps for the next one; what was needed for a moment so stays for good."""

import ctypes
import gc
import sys
import threading
from typing import Final

_ARENA_MAX: Final = -8
"""What glibc's `mallopt` calls the number of such places (malloc.h)."""
_PLACES: Final = 2
_SOON: Final = 5.0
"""Seconds."""

_lock: Final = threading.Lock()
_waiting: list[threading.Timer] = []


def hold_little() -> None:
    """Let all threads take memory from the same few places, where the C library is one that can be told to."""
    set_option = _of_library("mallopt")
    if set_option is not None:
        set_option(_ARENA_MAX, _PLACES)


def give_back() -> None:
    """Hand memory that nothing is kept in back to the system, where the C library can."""
    # What was made long ago is not looked through: among many games that would keep every reader waiting.
    gc.collect(1)
    trim = _of_library("malloc_trim")
    if trim is not None:
        trim(0)


def give_back_soon() -> None:
    """The same a little later, once for all that was computed meanwhile."""
    with _lock:
        if not _waiting:
            _waiting.append(threading.Timer(_SOON, _give_back_now))
            _waiting[0].daemon = True
            _waiting[0].start()


def _give_back_now() -> None:
    with _lock:
        _waiting.clear()
    give_back()


def _of_library(name: str) -> "ctypes._NamedFuncPointer | None":
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
