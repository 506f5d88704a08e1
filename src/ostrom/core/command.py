"""The command line of this process, without keys or passwords. Records store it to show how a result was computed."""

import re
import shlex
import sys
from itertools import chain
from pathlib import Path
from typing import Final

from ostrom.core.text import one_line

_PASSWORDS: Final = (re.compile(r"(?<=://)[^\s@]*:[^\s]*(?=@)"), re.compile(r"(?i)(?<=password=)[^&\s]+"))
"""Patterns of a user name and password in a URL, and of the value of a password option."""
_JOURNAL_URL: Final = re.compile(r"(?i)(sqlite|postgres\w*)(\+\w+)?://")
_PATH: Final = re.compile(r"(?i)(/|~|\.\.?[\\/]|[a-z]:[\\/]|\\\\)")
_TOKEN: Final = "--token"
_PROGRAMS: Final = ("ostrom", "__main__.py")
_MAX_CHARACTERS: Final = 2000
_START: Final = 48 - 3
_END: Final = 49 - 3
"""The number of fields of /proc/self/stat that are read. The last two, the 48th and 49th, have the addresses of the
first and last argument. The count starts at the third field, which is the first one after the program's name."""


def typed_command() -> str | None:
    """Return the command line without keys, passwords and tokens; None if this process was not started by `ostrom`."""
    if not sys.argv or Path(sys.argv[0]).name not in _PROGRAMS:
        return None
    words = ["ostrom"]
    for word in sys.argv[1:]:
        hidden = words[-1] == _TOKEN or word.startswith(f"{_TOKEN}=")
        words.append(("…" if words[-1] == _TOKEN else f"{_TOKEN}=…") if hidden else _without_password(word))
    return one_line(shlex.join(words), _MAX_CHARACTERS)


def at_store(url: str) -> str:
    """Return the `--store` option of a command for a journal's URL, without its password. Return an empty text for the
    default journal."""
    return f" --store {shlex.quote(url)}" if url else ""


def without_places(command: str) -> str:
    """Return a command in the form in which it is published: only the last part of each path is kept, and URLs of
    journals are removed."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command.split()[0] if command.split() else ""
    return shlex.join(_without_place(word) for word in words)


def _without_place(word: str) -> str:
    option, equals, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
    if _JOURNAL_URL.match(value):
        value = "…"
    elif _PATH.match(value):
        value = re.split(r"[\\/]", value.rstrip("/\\"))[-1] or "…"
    return f"{option}{equals}{value}"


def _without_password(word: str) -> str:
    for pattern in _PASSWORDS:
        word = pattern.sub("…", word)
    return word


def hide_passwords() -> None:
    """Overwrite the passwords in the arguments of this process, which every user of the machine can read. This works on
    Linux only."""
    if not any(_without_password(word) != word for word in sys.argv[1:]):
        return
    try:
        arguments = Path("/proc/self/cmdline").read_bytes()
        # The name of the program may contain spaces, so fields are counted after it.
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(fields[_START]), int(fields[_END])
        if end - start != len(arguments):
            return
        import ctypes  # slow to import, and rarely needed

        for word in re.finditer(rb"[^\0]+", arguments):
            text = word[0].decode("latin-1")  # One character for each byte.
            for match in chain.from_iterable(pattern.finditer(text) for pattern in _PASSWORDS):
                ctypes.memset(start + word.start() + match.start(), ord("x"), len(match[0]))
    except (OSError, ValueError, IndexError, ImportError):
        return
