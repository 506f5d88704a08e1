"""A small experiment that writes everything that a journal takes, goes on where it was left, and says what was
confirmed to it. As a program it waits for wishes, as `fork_server` does, and makes a copy of itself for each: what lies
in between it and its disk (`faulty_disk`) is the environment's affair."""

import asyncio
import gc
import os
import resource
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "journal"))

from journal_ledgers import answer, call, failed, question

from fork_server import serve
from kept import opened, opening, punish
from ostrom.core import InputError
from ostrom.core.files import TOO_MANY_FILES, is_file_limit
from ostrom.games.contribute_punish.events import PunishMessageSaid
from ostrom.journal.ledger import Ledgers
from ostrom.journal.sql import Journal

FILES = "WORKLOAD_FILES"
"""The variable that says how many more files may be open."""
FAILED = 9
"""The status where the journal said in one line why it cannot go on."""
PLACES = 4
GAMES = ("a", "b", "c")


def say(*words: object) -> None:
    """Say what was confirmed, so that a kill does not take it back."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def play(ledgers: Ledgers, key: str) -> None:
    """A game whose every question takes a call that fails and one that does not."""
    ledger = await ledgers.open(opening(punish()), key)
    if ledger is None:
        return
    say("opened", key)
    for place in range(PLACES):
        asked = question(place)
        if asked.key in ledger.decisions:
            continue
        if not ledger.calls.get(asked.key):
            await ledger.keep_call(place, asked, failed(place))
            say("call", key, place)
        await ledger.keep_decision(place, asked, answer(place), call(place, 2))
        say("decision", key, place)
    if not ledger.events:
        # Nobody waits for events: they are stored before whatever comes after them.
        await ledger.keep_events(0, [PunishMessageSaid(round=1, seat=seat, text="a") for seat in range(3)])
    if key == "c":
        await ledger.void("nobody came", "absent", 0)
    else:
        await ledger.finish([1.0, 2.0, 3.0])
    say("events", key, 3)
    say("over", key)


async def play_all(journal: Journal) -> None:
    """The games side by side, so that writes are grouped."""
    async with journal.ledgers("one") as ledgers:
        # To the end of all, as a run does: what is in flight is kept where it can be.
        ends = await asyncio.gather(*(play(ledgers, key) for key in GAMES), return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end


def work(store: str, runner: asyncio.Runner | None = None) -> None:
    """The whole experiment, or what is left of it."""
    with runner or asyncio.Runner() as running, opened(store) as journal:
        if not journal.experiments():
            journal.new_experiment("one", kind="test", planned=5)
        say("experiment")
        with journal.claim("one"):
            say("run", journal.new_run("one"))
            running.run(play_all(journal))
            if journal.add_game("test-1", punish(1), key="whole"):
                say("whole")
            journal.end_plan("test-1", 4)
            say("planned")


def become(wish: Mapping[str, Any]) -> int:
    """Be the experiment, to the end."""
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    for number, path in ((1, wish["out"]), (2, wish["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
    runner = asyncio.Runner()
    runner.get_loop()  # takes descriptors of its own, which are not what is tried here
    if FILES in os.environ:
        spare = os.open(os.devnull, os.O_RDONLY)  # the lowest number that is free
        os.close(spare)
        resource.setrlimit(resource.RLIMIT_NOFILE, (spare + int(os.environ[FILES]),) * 2)
    try:
        work(*wish["arguments"], runner)
    except InputError as error:
        print(error, file=sys.stderr)
        return FAILED
    except OSError as error:
        if not is_file_limit(error):
            raise
        print(TOO_MANY_FILES, file=sys.stderr)  # as the command does
        return FAILED
    return 0


def warm_up() -> None:
    """Do it all once before copies are made: what is read and compiled then is not in each of them."""
    out, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    with tempfile.TemporaryDirectory() as folder:
        work(f"sqlite:///{folder}/journal.db")
        work(f"sqlite:///{folder}/journal.db")
    os.dup2(out, 1)
    gc.collect()
    gc.freeze()  # what is never collected is never copied


if __name__ == "__main__":
    warm_up()
    wanted = serve()
    if wanted is not None:
        status = become(wanted)
        sys.stderr.flush()
        os._exit(status)  # an exception that is none of ours ends with its traceback before
