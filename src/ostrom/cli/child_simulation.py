"""`python -m ostrom.cli.child_simulation WORDS` runs a simulation such as `sweep` in a process that a server starts.
The result is stored in the journal whose address is in the environment, since it may contain a password. Progress is
printed every second."""

import os
import sys
from typing import Final

from ostrom.cli.child import main
from ostrom.journal.engine import VARIABLE
from ostrom.terminal import progress

_NICENESS: Final = 10
"""The niceness of this process. It is scheduled after the server, in which people play."""
_PROGRESS_INTERVAL_S: Final = 1.0

if __name__ == "__main__":
    os.nice(_NICENESS)
    progress.LINE_INTERVAL_S = _PROGRESS_INTERVAL_S  # type: ignore[misc]
    # Arguments in this list are not those of the process, which other users can read.
    sys.argv[0] = "ostrom"  # The stored command begins with it.
    sys.argv += ["--store", os.environ[VARIABLE]]
    main()
