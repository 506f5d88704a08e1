"""What this machine has: the cores that this process may use, and what its system lacks."""

import os
import sys
from typing import Final

POSIX_MODULES: Final = frozenset({"fcntl", "resource", "pwd", "grp", "termios"})
"""Modules of Python's own that only Linux, macOS and their like have."""
ELSEWHERE: Final = (
    "Windows lacks what this needs: games, tournaments, ratings and reports work there, and journals can be read; to "
    "write a journal, ask models or serve pages, use WSL, Linux or macOS"
)


def cores() -> int:
    """How many cores this process may use; where the system does not say, all there are."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def system() -> tuple[str, str]:
    """Whether everything works on this system, and what does not."""
    return ("absent", ELSEWHERE) if sys.platform == "win32" else ("ok", sys.platform)
