"""A folder on a disk with faults, the workload that runs there, and whether all that was confirmed to it is kept."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workload import FILES, GAMES, PLACES

from fork_server import Copy, ForkServer
from kept import opened
from ostrom.journal.sql import Journal


@dataclass(frozen=True)
class Ended:
    """How a workload ended: its status, what was confirmed to it, and what it said."""

    status: int
    confirmed: list[list[str]]
    said: str


class Disk:
    """A folder `here` with a journal, over a disk with faults; `synced` is what a power cut leaves of it."""

    def __init__(self, server: ForkServer, home: Path) -> None:
        self._server = server
        self.here, self.synced, self.log = home / "here", home / "synced", home / "log"
        self.here.mkdir()
        self.synced.mkdir()
        self.file = self.here / "journal.db"

    def run(self, store: str | None = None, files: int | None = None, **faults: object) -> Ended:
        """Run the workload to its end, with these faults: `at=3, how="eio"` is FAULTY_AT=3 FAULTY_HOW=eio; and with so
        many files that may be open beyond those that are."""
        limit = {} if files is None else {FILES: str(files)}
        surroundings = self._surroundings(faults) | limit
        status, out, err = self._server.run([store or f"sqlite:///{self.file}"], self.here, surroundings)
        return Ended(status, _lines(out), err)

    def start(self, **faults: object) -> Copy:
        """Start the workload."""
        return self._server.start([f"sqlite:///{self.file}"], self.here, self._surroundings(faults))

    def calls(self) -> list[tuple[str, str]]:
        """The name and the file of every call of the runs with `log=disk.log`."""
        lines = (line.split(maxsplit=2) for line in self.log.read_text().splitlines())
        return [(name, file) for _, name, file in lines]

    def _surroundings(self, faults: Mapping[str, object]) -> dict[str, str]:
        set_ = {f"FAULTY_{name.upper()}": str(value) for name, value in faults.items()}
        return {**os.environ, "FAULTY_FOLDER": str(self.here), "FAULTY_SYNCED": str(self.synced), **set_}


def _lines(out: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines()]


def missing(journal: Journal, confirmed: Iterable[list[str]]) -> list[list[str]]:
    """What was confirmed and is not in the journal."""
    rows = {row.key: row for row in journal.games()}
    records = {key: journal.record(row.id) for key, row in rows.items()}
    calls = {key: [call.attempt for _, call in journal.calls(row.id)] for key, row in rows.items()}

    def kept(what: str, *which: str) -> bool:
        if what == "experiment":
            return [row.name for row in journal.experiments()] == ["one"]
        if what == "run":
            return len(journal.runs("one")) >= int(which[0])
        if what == "planned":
            return journal.experiments()[0].planned == 4
        if what == "whole":
            return "whole" in rows
        if which[0] not in rows:
            return False
        if what == "call":
            return calls[which[0]].count(1) > int(which[1])
        if what == "decision":
            return len(records[which[0]].answers) > int(which[1])
        if what == "events":
            return len(records[which[0]].events) >= int(which[1])
        return what == "opened" or rows[which[0]].state in ("finished", "void")

    return [fact for fact in confirmed if not kept(*fact)]


def check_confirmed(file: Path, confirmed: Iterable[list[str]]) -> None:
    """See that the file is sound and holds all that was confirmed."""
    if not file.exists():
        assert not list(confirmed)
        return
    with closing(sqlite3.connect(file)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with opened(f"sqlite:///{file}") as journal:
        lost = missing(journal, confirmed)
        assert not lost, lost


def content(journal: Journal) -> dict[str, Any]:
    """All that the workload keeps, without moments and how often it was run."""
    found: dict[str, Any] = {}
    for row in journal.games():
        record = journal.record(row.id).model_dump(mode="json")
        calls = [(key, call) for key, call in journal.calls(row.id)]
        found[row.key] = (row.state, row.finals, record, calls)
    return found


def is_whole(found: Mapping[str, Any]) -> bool:
    """Whether the workload came to its end."""
    played = [found[key][2] for key in GAMES if key in found]
    return set(found) == {*GAMES, "whole"} and all(len(record["answers"]) == PLACES for record in played)
