"""`python -m ostrom` is `ostrom`."""

import os
import sys

# Python puts the current folder first; files of others there must not be imported in place of modules.
_first = sys.path[0] if sys.path and not sys.flags.safe_path else ""
if _first == os.getcwd() and not __file__.startswith(_first + os.sep):
    del sys.path[0]

from ostrom.cli import start  # noqa: E402

start()
