"""A journal on a disk that kills, fails, fills up and lies, at every kind of call that SQLite makes: what was confirmed
is kept, nothing else is said than one line, and what is left is done when the disk is sound again."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from disk import Disk, check_confirmed, content, is_whole
from workload import FAILED

from fork_server import ForkServer
from kept import opened

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Whole:
    """An undisturbed run: what it keeps, how many calls it makes, and the numbers of some of each kind."""

    content: dict[str, Any]
    calls: int
    of_each_kind: list[int]


@pytest.fixture(scope="module")
def whole(workloads: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    disk = Disk(workloads, tmp_path_factory.mktemp("whole"))
    ended = disk.run(log=disk.log)
    assert ended.status == 0, ended.said
    with opened(f"sqlite:///{disk.file}") as journal:
        found = content(journal)
    assert is_whole(found)
    calls = disk.calls()
    first = {call: number for number, call in reversed(list(enumerate(calls, 1)))}
    middle = {call: number for number, call in enumerate(calls[: len(calls) // 2], 1)}
    return Whole(found, len(calls), sorted({*first.values(), *middle.values()}))


def moments(whole: Whole, turn: int, turns: int, *, long: bool) -> list[int]:
    """The calls to be disturbed in one of several tests, which take turns: of those of each kind, or of all."""
    return list(range(1 + turn, whole.calls + 1, turns)) if long else whole.of_each_kind[turn :: 2 * turns]


def finish(disk: Disk, whole: Whole, file: Path | None = None) -> None:
    """Let a sound disk do the rest, and compare."""
    ended = disk.run(None if file is None else f"sqlite:///{file}")
    assert ended.status == 0, ended.said
    with opened(f"sqlite:///{file or disk.file}") as journal:
        assert content(journal) == whole.content


def fresh(disk: Disk) -> None:
    for folder in (disk.here, disk.synced):
        shutil.rmtree(folder)
        folder.mkdir()


KILLS = ("kill", "half", "killed")
ERRORS = (("eio", 0), ("eio", 1), ("enospc", 0), ("enospc", 1))
LENGTHS = [pytest.param(False, id="short"), pytest.param(True, marks=pytest.mark.long, id="long")]


@pytest.mark.parametrize("long", LENGTHS)
@pytest.mark.parametrize("how", KILLS)
def test_a_kill_at_any_call_takes_nothing_that_was_confirmed(disk: Disk, whole: Whole, how: str, long: bool) -> None:
    """Before a call, in the middle of a write, and after it; and no more does power that goes at that moment."""
    for number in moments(whole, KILLS.index(how), 4, long=long):
        fresh(disk)
        ended = disk.run(at=number, how=how)
        assert ended.status in (-9, 0), (number, ended)
        shutil.copytree(disk.synced, disk.here / "cut")
        check_confirmed(disk.file, ended.confirmed)
        check_confirmed(disk.here / "cut" / "journal.db", ended.confirmed)
        finish(disk, whole)
        if long:
            finish(disk, whole, disk.here / "cut" / "journal.db")


@pytest.mark.parametrize("long", LENGTHS)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: f"{error[0]}{'-lasting' * error[1]}")
def test_a_disk_that_fails_at_any_call_is_one_line(
    disk: Disk, whole: Whole, error: tuple[str, int], long: bool
) -> None:
    how, lasts = error
    for number in moments(whole, ERRORS.index(error), 6, long=long):
        fresh(disk)
        ended = disk.run(at=number, how=how, lasts=lasts)
        assert ended.status in (FAILED, 0), (number, ended)
        assert len(ended.said.splitlines()) == (ended.status == FAILED), (number, ended.said)
        check_confirmed(disk.file, ended.confirmed)
        finish(disk, whole)


def test_a_disk_that_lies_costs_no_more_than_what_it_lied_about(disk: Disk, whole: Whole) -> None:
    last = whole.calls
    honest = disk.run(at=last // 2, how="kill")
    lied = disk.run(at=last // 3, how="kill", lies=1)
    assert (honest.status, lied.status) == (-9, -9)
    check_confirmed(disk.file, [*honest.confirmed, *lied.confirmed])
    file = disk.synced / "journal.db"
    check_confirmed(file, honest.confirmed)
    shutil.copytree(disk.synced, disk.here / "cut")
    finish(disk, whole, disk.here / "cut" / "journal.db")
