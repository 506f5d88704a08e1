"""The machine: the cores that this process may use, and whether its system is supported."""

import os
import sys
from typing import Final

POSIX_MODULES: Final = frozenset({"fcntl", "resource", "pwd", "grp", "termios"})
"""Modules of the standard library that Windows lacks."""
ELSEWHERE: Final = (
    "Windows lacks what this needs: games, tournaments, ratings and reports work there, and journals can be read; to "
    "write a journal, ask models or serve pages, use WSL, Linux or macOS"
)


def cores() -> int:
    """Return the number of cores that this process may use, or of all cores where the system does not say."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def system() -> tuple[str, str]:
    """Return "ok" and the platform, or "absent" and what does not work on this system."""
    return ("absent", ELSEWHERE) if sys.platform == "win32" else ("ok", sys.platform)
