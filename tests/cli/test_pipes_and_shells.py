"""The command where no terminal is: whole tables, lines of progress, closed pipes, an early Ctrl-C; and completion."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from commandline import OSTROM, answer

from ostrom.experiment.watch import Tally
from ostrom.terminal import progress


def test_a_table_that_goes_to_a_pipe_is_whole(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    shown = answer("tournament", "--games", 2, "--turns", 2, "--seed", 1)
    assert "of the median, 95 %" in shown
    assert "a wider terminal" not in shown
    monkeypatch.setenv("COLUMNS", "80")
    assert "a wider terminal also shows" in answer("tournament", "--games", 2, "--turns", 2, "--seed", 1)


def test_progress_is_told_in_lines_where_no_terminal_is(monkeypatch, capsys):
    def wait_for(words):
        said = ""
        for _ in range(60_000):
            said += capsys.readouterr().err
            if words in said:
                return
            time.sleep(0.01)
        raise AssertionError(f"{words!r} is not in {said[:1000]!r}")

    monkeypatch.setattr(progress, "LINE_INTERVAL_S", 0.01)
    with progress.games_bar("games", 10) as advance:
        advance(4)
        wait_for("games: 4 of 10, 0:00:")
    tally = Tally(finished=3, tokens=20_000, dollars=0.5)
    with progress.watched(tally, 8):
        wait_for("games: 3 of 8, 0 decisions, 0.0 decisions/s, $0.5000, 20 k tokens, 0:00:")
    capsys.readouterr()
    monkeypatch.setattr(progress, "LINE_INTERVAL_S", 600)
    with progress.games_bar("games", 10):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.parametrize(("words", "offered"), [("ostrom jo", ["journal"]), ("ostrom run --see", ["--seed"])])
def test_a_shell_completes_commands_and_options(words, offered):
    told = {"_OSTROM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run([OSTROM], capture_output=True, encoding="utf-8", env={**os.environ, **told}, check=False)
    assert (done.stdout.split(), done.stderr) == (offered, "")


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_fault():
    with subprocess.Popen([OSTROM, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def has_imported_a_package(pid):
    """Return whether a process has loaded a compiled module of an installed package."""
    return "site-packages" in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("after", [0.0, pytest.param(0.4, marks=pytest.mark.long)])
def test_an_early_interrupt_ends_quietly(after):
    process = subprocess.Popen(
        [OSTROM, "tournament", "--games", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # Before the interpreter has read its own start-up files, an interrupt is its affair.
    while not has_imported_a_package(process.pid) and process.poll() is None:
        time.sleep(0.01)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in said
