"""The command line of this process, for records of how a result was computed, without keys or passwords."""

import re
import shlex
import sys
from itertools import chain
from pathlib import Path
from typing import Final

from ostrom.core.text import one_line

_PASSWORDS: Final = (re.compile(r"(?<=://)[^\s@]*:[^\s]*(?=@)"), re.compile(r"(?i)(?<=password=)[^&\s]+"))
"""The part before the last @ of a URL with a password, and options that are passwords."""
_STORE: Final = re.compile(r"(?i)(sqlite|postgres\w*)(\+\w+)?://")
_PLACE: Final = re.compile(r"(?i)(/|~|\.\.?[\\/]|[a-z]:[\\/]|\\\\)")
"""The beginning of a journal's URL, and of a path."""
_TOKEN: Final = "--token"
_PROGRAMS: Final = ("ostrom", "__main__.py")
_MAX_CHARACTERS: Final = 2000
_START: Final = 48 - 3
_END: Final = 49 - 3
"""The fields of /proc/self/stat with the addresses of the first and last argument: the 48th and 49th, of which the
third is the first after the program's name."""


def typed_command() -> str | None:
    """Return the command line without keys, passwords and tokens, or None for another program's."""
    if not sys.argv or Path(sys.argv[0]).name not in _PROGRAMS:
        return None
    words = ["ostrom"]
    for word in sys.argv[1:]:
        hidden = words[-1] == _TOKEN or word.startswith(f"{_TOKEN}=")
        words.append(("…" if words[-1] == _TOKEN else f"{_TOKEN}=…") if hidden else _without_password(word))
    return one_line(shlex.join(words), _MAX_CHARACTERS)


def without_places(command: str) -> str:
    """Return a command for readers elsewhere: of each path only its last part, and no journal URL."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command.split()[0] if command.split() else ""
    return shlex.join(_without_place(word) for word in words)


def _without_place(word: str) -> str:
    option, equals, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
    if _STORE.match(value):
        value = "…"
    elif _PLACE.match(value):
        value = re.split(r"[\\/]", value.rstrip("/\\"))[-1] or "…"
    return f"{option}{equals}{value}"


def _without_password(word: str) -> str:
    for pattern in _PASSWORDS:
        word = pattern.sub("…", word)
    return word


def hide_passwords() -> None:
    """Overwrite passwords in the process arguments, which every user of the machine can read. This works on Linux;
    elsewhere, and where it fails, they stay."""
    if not any(_without_password(word) != word for word in sys.argv[1:]):
        return
    try:
        arguments = Path("/proc/self/cmdline").read_bytes()
        # The name of the program may contain spaces, so fields are counted after it.
        figures = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(figures[_START]), int(figures[_END])
        if end - start != len(arguments):
            return
        import ctypes  # slow to import, and rarely needed

        for word in re.finditer(rb"[^\0]+", arguments):
            text = word[0].decode("latin-1")  # a character for each byte
            for match in chain.from_iterable(pattern.finditer(text) for pattern in _PASSWORDS):
                ctypes.memset(start + word.start() + match.start(), ord("x"), len(match[0]))
    except (OSError, ValueError, IndexError, ImportError):
        return
