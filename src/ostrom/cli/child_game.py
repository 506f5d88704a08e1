"""`python -m ostrom.cli.child_game [--plugin FILE]... -- EXPERIMENT` plays an experiment that a page started, if no
people and no models play in it. A server starts it as a process of its own, so that heavy play does not delay people's
seats. The process stops when its standard input ends. That happens when the server ends, even if the server is
killed."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ostrom.cli.child import stop_at_end_of_input
from ostrom.core import InputError
from ostrom.core.outlets import complain
from ostrom.core.plugins import load_file
from ostrom.experiment.hosting import Host
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.web.api.hosting import find_resumable

_NICENESS: Final = 10
"""The niceness of this process. It is scheduled after the server, in which people play."""


def main(arguments: Sequence[str]) -> int:
    """Play the experiment and return the exit status. It is 0 at the end of the experiment, 1 if play was stopped, and
    2 for an error of the user."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop_at_end_of_input()
    os.nice(_NICENESS)
    *options, experiment = arguments
    try:
        for file in options[1:-1:2]:
            load_file(Path(file))
        # The address of the journal is passed in the environment, because it may contain a password.
        with open_journal(None) as journal:
            return asyncio.run(_play(journal, experiment))
    except InputError as error:
        complain(str(error))
        return 2
    except KeyboardInterrupt:
        return 1


async def _play(journal: Journal, experiment: str) -> int:
    """Play until the end, the maximum number of answers, or an interrupt."""
    host, stopped = Host(journal), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopped.set)
    id_, plan = find_resumable(journal, experiment)
    if plan.people:
        raise InputError(f"people play in {id_}, so only a server can play it")
    hosted = await host.start(plan, id_)
    assert hosted.task is not None
    waiting = asyncio.create_task(stopped.wait())
    await asyncio.wait([hosted.task, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    await host.close()
    return 0 if (await hosted.wait()).stopped is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
