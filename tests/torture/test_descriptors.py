"""No descriptor is left, at whatever moment: nothing that was decided is lost, one line says why, and what is left is
done when there are some again."""

import resource
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from disk import Disk, check_confirmed, content, is_whole
from workload import FAILED

from at_seats import answer_next, call, links_in, started, until
from fork_server import ForkServer
from kept import opened
from provider_process import provider_process
from system.system_lab import Lab, Running, ended, experiment, played, visits

pytestmark = pytest.mark.slow

NONE_LEFT = 3
"""Standard streams alone: whatever else is open stays, and nothing more can be opened."""


def set_limit(process: Any, files: int) -> int:
    """Let a process that runs have so many open files; how many it could have before."""
    before, most = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (files, most))
    return before


def test_a_journal_is_written_with_few_files_or_says_so_in_one_line(disk: Disk) -> None:
    """From none to enough: every opening of a file is once the one that fails."""
    statuses = []
    for files in range(40):
        ended_ = disk.run(files=files)
        statuses.append(ended_.status)
        assert ended_.status in (FAILED, 0), (files, ended_)
        assert len(ended_.said.splitlines()) == (ended_.status == FAILED), (files, ended_.said)
        check_confirmed(disk.file, ended_.confirmed)
        if ended_.status == 0:
            break
    assert FAILED in statuses
    assert statuses[-1] == 0
    with opened(f"sqlite:///{disk.file}") as journal:
        assert is_whole(content(journal))


def prepared(folder: Path, base_url: str, server: ForkServer) -> Lab:
    folder.mkdir()
    lab = Lab(folder, f"sqlite:///{folder}/journal.db", server=server)
    for name in ("ash", "bay", "cob"):
        lab.bot(name, base_url)
    rules = {"punish": {"rounds": 2, "messages": False}}
    limits = {"calls": 4, "per_provider": 4, "retries": 2, "patience": 0.5}
    described = experiment(games=rules, include=("ash", "bay", "cob"), repetitions=4, seats=3, limits=limits)
    (folder / "experiment.toml").write_text(described)
    return lab


@pytest.mark.parametrize("after", [1, 20])
def test_a_run_without_descriptors_ends_with_one_line_and_is_resumed(
    after: int, tmp_path: Path, fork_server: ForkServer
) -> None:
    log = tmp_path / "log.jsonl"
    with provider_process("--delay", 0.05, "--draw-by", "reference", "--log", log) as provider:
        whole = prepared(tmp_path / "whole", provider.base_url, fork_server)
        whole.must("bench", "--file", "experiment.toml")
        with whole.journal() as journal:
            expected = played(journal)
        lab, seen = prepared(tmp_path / "cut", provider.base_url, fork_server), len(visits(log))
        process: Running = lab.start("bench", "--file", "experiment.toml")
        while len(visits(log)) < seen + after:
            assert process.poll() is None, ended(process)
            time.sleep(0.01)
        set_limit(process, NONE_LEFT)
        done = ended(process)
        assert "Traceback" not in done.err, done.err
        if done.status != 0:
            assert "ostrom resume punish-1" in done.complaints[-1], done
            with lab.journal() as journal:
                kept = {key: game.record["answers"] for key, game in played(journal).items()}
            for key, answers in kept.items():
                assert all(answer in expected[key].record["answers"] for answer in answers)
            lab.must("resume")
        with lab.journal() as journal:
            found = played(journal)
    assert {key: game.record["answers"] for key, game in found.items()} == {
        key: game.record["answers"] for key, game in expected.items()
    }


def test_a_served_game_without_descriptors_loses_no_answer(tmp_path: Path) -> None:
    table = ("--include", "human", "--include", "Cooperator", "--include", "FreeRider")
    run = started(tmp_path, "run", "punish", "--seed", 7, "--rounds", 2, *table, "--port", 0, "--seconds", 90)
    assert run.stdout is not None
    ((address, token),) = links_in(run.stdout, 1)
    answer_next(address, token)
    before = until(address, token, "asked")
    allowed = set_limit(run, NONE_LEFT)
    for _ in range(3):
        with suppress(OSError):  # nobody may be let in: reset, or a time that runs out
            call(address, "/seat", token, timeout=0.5)
    assert run.poll() is None
    set_limit(run, allowed)
    again = until(address, token, "asked")
    assert again["question"]["id"] == before["question"]["id"]
    assert again["decided"] == before["decided"]
    answer_next(address, token)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=600)
    assert "Traceback" not in err
    assert len(err) < 5_000
