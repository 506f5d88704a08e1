"""Most tests of commands run them in a copy of a process that has read the libraries; what they find must be what a new
process says."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from commandline import OSTROM, WILD, ostrom

from fork_server import COMMANDS, ForkServer, starts_python


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["run", "--include", "Pavlov:2", "--seed", "1", "--output", "game.json"], 0),
        pytest.param(
            *(["run", "--players", "wild.py", "--include", "Wild:2", "--seed", "1", "--turns", "5"], 2),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_copy_says_what_a_new_process_says(tmp_path, arguments, status):
    (tmp_path / "wild.py").write_text(WILD.format(deed="return 'ü'"), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONWARNINGS")}
    new = subprocess.run(
        [OSTROM, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=kept | {"COLUMNS": "80", "PYTHONUTF8": "1"},
        check=False,
    )
    copy = ostrom(*arguments, folder=tmp_path)
    assert new.returncode == status
    assert (copy.returncode, copy.stdout, copy.stderr) == (new.returncode, new.stdout, new.stderr)


def test_a_copy_leaves_nothing_of_a_command_to_the_next(tmp_path):
    (tmp_path / "wild.py").write_text(WILD.format(deed="return 0.5"), encoding="utf-8")
    assert "Wild" in ostrom("list", "--players", "wild.py", folder=tmp_path, OSTROM_STORE="nowhere").stdout
    assert "Wild" not in ostrom("list").stdout
    assert Path.cwd() != tmp_path


def test_what_python_heeds_when_it_starts_needs_a_new_process():
    assert starts_python({"PYTHONPATH": "site"})
    assert not starts_python({"COLUMNS": "80"})
    assert starts_python({"NO_COLOR": "1"})


@pytest.mark.slow
def test_a_copy_is_as_wide_as_it_is_told_to_be_whatever_the_server_began_with(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    kept = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    with ForkServer() as server:
        for columns in (50, 120):
            _, out, _ = server.run(["list"], tmp_path, kept | {"COLUMNS": str(columns)})
            assert max(map(len, out.splitlines())) in range(columns - 30, columns + 1)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_a_copy_that_is_sent_a_signal_ends_as_a_new_process_does(tmp_path, number):
    (tmp_path / "wild.py").write_text(
        WILD.format(deed="open('there', 'w').close(); __import__('time').sleep(600)"), encoding="utf-8"
    )
    arguments = ["run", "--players", "wild.py", "--include", "Wild:2", "--seed", "1", "--turns", "5"]
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONWARNINGS")}
    kept |= {"COLUMNS": "80", "PYTHONUTF8": "1"}
    whole = {"cwd": tmp_path, "env": kept, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    ends = []
    for start in (
        lambda: subprocess.Popen([OSTROM, *arguments], **whole),
        lambda: COMMANDS.start(arguments, tmp_path, kept),
    ):
        process = start()
        until = time.monotonic() + 600
        while not (tmp_path / "there").exists() and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(number)
        ends.append((*process.communicate(timeout=600), process.returncode))
        (tmp_path / "there").unlink()
    assert ends[0] == ends[1]
    assert ends[0][2] == (130 if number == signal.SIGINT else -9)
