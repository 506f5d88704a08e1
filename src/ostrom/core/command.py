"""What was typed, for records of how something was made."""

import re
import shlex
import sys
from pathlib import Path
from typing import Final

from ostrom.core.text import one_line

_PASSWORD: Final = re.compile(r"(?<=://)[^/@\s]*@")
_PROGRAMS: Final = ("ostrom", "__main__.py")
_LONGEST: Final = 2000


def typed_command() -> str | None:
    """The command line of this process, with no key or password in it; None where it is a program's own."""
    if not sys.argv or Path(sys.argv[0]).name not in _PROGRAMS:
        return None
    words = ["ostrom", *(_PASSWORD.sub("…@", word) for word in sys.argv[1:])]
    return one_line(shlex.join(words), _LONGEST)
