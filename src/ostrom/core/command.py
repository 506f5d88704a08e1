"""What was typed, for records of how something was made, and out of sight of others on this machine."""

import re
import shlex
import sys
from pathlib import Path
from typing import Final

from ostrom.core.text import one_line

_PASSWORDS: Final = (re.compile(r"(?<=://)[^\s@]*:[^\s]*(?=@)"), re.compile(r"(?i)(?<=password=)[^&\s]+"))
"""What stands before the last @ of an address that names a password, and options that are one."""
_STORE: Final = re.compile(r"(?i)(sqlite|postgres\w*)(\+\w+)?://")
_PLACE: Final = re.compile(r"(?i)(/|~|\.\.?[\\/]|[a-z]:[\\/]|\\\\)")
"""How the address of a journal begins, and a path that tells where somebody keeps files."""
_TOKEN: Final = "--token"
_PROGRAMS: Final = ("ostrom", "__main__.py")
_LONGEST: Final = 2000
_START, _END = 48 - 3, 49 - 3
"""Where Linux says at which addresses the arguments of a process begin and end: the 48th and 49th of its figures, of
which the third is the first after the program's name."""


def typed_command() -> str | None:
    """The command line of this process, with no key, password or token in it; None where it is a program's own."""
    if not sys.argv or Path(sys.argv[0]).name not in _PROGRAMS:
        return None
    words = ["ostrom"]
    for word in sys.argv[1:]:
        hidden = words[-1] == _TOKEN or word.startswith(f"{_TOKEN}=")
        words.append(("…" if words[-1] == _TOKEN else f"{_TOKEN}=…") if hidden else _without_password(word))
    return one_line(shlex.join(words), _LONGEST)


def without_places(command: str) -> str:
    """A typed command for readers elsewhere: of a path its last part, of the address of a journal nothing."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command.split()[0] if command.split() else ""
    return shlex.join(_named(word) for word in words)


def _named(word: str) -> str:
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
    """Write over the passwords of addresses that were typed, where every user of the machine can read what commands
    others run. Only Linux says where they stand; elsewhere, and where it fails, they stay."""
    if not any(_without_password(word) != word for word in sys.argv[1:]):
        return
    try:
        typed = Path("/proc/self/cmdline").read_bytes()
        # The name of the program may hold spaces; what counts comes after it.
        figures = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(figures[_START]), int(figures[_END])
        if end - start != len(typed):
            return
        import ctypes  # takes a while, and few need it

        for word in re.finditer(rb"[^\0]+", typed):
            text = word[0].decode("latin-1")  # a character for each byte
            for found in (found for pattern in _PASSWORDS for found in pattern.finditer(text)):
                ctypes.memset(start + word.start() + found.start(), ord("x"), len(found[0]))
    except (OSError, ValueError, IndexError, ImportError):
        return
