"""`python -m ostrom` is `ostrom`."""

import os
import sys

# Python puts the current folder first. Files of other people there must not be imported instead of modules.
_first = sys.path[0] if sys.path and not sys.flags.safe_path else ""
if _first == os.getcwd() and not __file__.startswith(_first + os.sep):
    del sys.path[0]

from ostrom.cli import start  # noqa: E402

start()
