"""A run that is stopped says what is kept and how to go on, and going on plays nothing twice."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commandline import OSTROM, ostrom

from ostrom.journal.migrations import VERSION
from ostrom.journal.sql import Journal
from sampling import sampled


def stopped(arguments, *, by, when):
    """Start the command, stop it when `when` says so of its process, and give back how it ended."""
    process = subprocess.Popen(
        [OSTROM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not when(process):
        time.sleep(0.02)
    process.send_signal(by)
    out, err = process.communicate()
    return process.returncode, out, err


def is_under_way(process):
    """Whether it has computed for longer than it takes to start: in seconds of its own, however busy the machine is."""
    ticks = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11]
    return int(ticks) / os.sysconf("SC_CLK_TCK") > 4


def kept(store):
    """How many games the journal holds; none while it is being made."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{store.removeprefix('sqlite:///')}?mode=ro", uri=True)
        ) as journal:
            return journal.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.Error:
        return 0


def records(store):
    with Journal.open(store) as journal:
        games = sorted(journal.games(), key=lambda game: int(game.key))
        return [journal.record(game.id) for game in games]


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_a_stopped_benchmark_goes_on_to_what_it_would_have_been(tmp_path, by):
    games = 60  # Enough that the run is still going on when a busy machine gets to stop it.
    arguments = ["bench", "punish", "--games", games, "--seed", 3]
    store, undisturbed = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db"
    status, _, err = stopped([*arguments, "--store", store], by=by, when=lambda _: kept(store) >= 3)
    if by == signal.SIGINT:
        # On a slow machine, a line before this one says how long the games will take.
        *_, line = err.splitlines()
        assert (status, err.count("ostrom: ")) == (1, 1)
        assert line.startswith("ostrom: stopped")
        assert "ostrom resume punish-1" in line
    assert 3 <= kept(store) < games
    before = records(store)
    assert ostrom("resume", "--store", store).returncode == 0
    assert ostrom(*arguments, "--store", undisturbed).returncode == 0
    after = records(store)
    assert after == records(undisturbed)
    assert after[: len(before)] == before
    assert ostrom("resume", "punish-1", "--store", store).returncode == 0
    assert len(records(store)) == games


def test_there_must_be_something_to_go_on_with(tmp_path):
    store = f"sqlite:///{tmp_path}/a.db"
    assert ostrom("bench", "punish", "--games", 1, "--seed", 1, "--store", store).returncode == 0
    done = ostrom("resume", "--store", store)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_an_interrupted_tournament_says_so_in_one_line():
    arguments = ["tournament", "--games", 1_000_000, "--seed", 1, "--workers", 2]
    status, out, err = stopped(arguments, by=signal.SIGINT, when=is_under_way)
    assert (status, out) == (130, "")
    # On a slow machine a line of progress comes first.
    assert [line for line in err.splitlines() if not line.startswith("games: ")] == ["ostrom: stopped"]


def test_a_full_disk_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [OSTROM, "run", "--seed", "1"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


@pytest.mark.parametrize(
    ("encoding", "arguments"),
    sampled(
        [
            ("ascii", ["run", "--seed", "1"]),
            ("ascii", ["list"]),
            ("ascii", ["tournament", "--games", "2", "--seed", "1"]),
            ("latin-1", ["tournament", "--games", "2", "--seed", "1"]),
        ],
        1,
    ),
)
def test_a_terminal_without_our_signs_is_no_reason_to_stop(encoding, arguments, tmp_path):
    done = subprocess.run(
        [OSTROM, *arguments],
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "ostrom", "list", "games", "--json"], capture_output=True, check=True)
    assert {"commons", "punish"} <= {row["name"] for row in json.loads(done.stdout)["games"]}


def test_what_a_champion_prints_does_not_spoil_the_document(tmp_path):
    file = tmp_path / "loud.py"
    file.write_text(
        "from ostrom import Champion, register_champion\nprint('loading')\n@register_champion\nclass Loud(Champion):\n"
        "    'Shouts.'\n    def decide(self, ctx):\n        print('now')\n        return 1.0\n"
    )
    done = ostrom("run", "--players", file, "--include", "Loud:2", "--seed", 1, "--turns", 2, "--json")
    assert json.loads(done.stdout)["turns"] == 2
    assert done.stderr.split() == ["loading"] + ["now"] * 4


def test_a_game_whose_version_changed_goes_on_only_when_told_to(tmp_path):
    store = f"sqlite:///{tmp_path}/a.db"
    assert ostrom("bench", "punish", "--games", 2, "--seed", 3, "--store", store).returncode == 0
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE games SET game_version = '0'")
    connection.close()
    refused = ostrom("resume", "punish-1", "--store", store)
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    assert "were begun with version 0 of contribute_punish" in refused.stderr
    assert "--accept-version" in refused.stderr
    assert ostrom("resume", "punish-1", "--accept-version", "--store", store).returncode == 0


def test_a_journal_of_an_older_schema_is_upgraded_and_the_command_says_so(tmp_path):
    store = f"sqlite:///{tmp_path}/a.db"
    stored = Path(__file__).parents[1] / "journal" / "stored" / "schema_8.sql"
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.executescript(stored.read_text())
    connection.close()
    first = ostrom("status", "--store", store)
    assert first.returncode == 0
    (line,) = first.stderr.splitlines()
    assert line.startswith(f"ostrom: the journal {tmp_path}/a.db was upgraded from schema 8 to {VERSION}")
    assert line.endswith(f"(a copy of the old one is {tmp_path}/a.schema-8.db)")
    assert ostrom("status", "--store", store).stderr == ""
