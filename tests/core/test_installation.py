"""What is installed, differences between systems (macOS reports no usable cores, Windows has no file locks), and
concurrent imports."""

import os
import threading
import tomllib
from pathlib import Path

import pytest

from ostrom import tournament
from ostrom.core.entry_points import cores, missing_extra
from ostrom.core.plugins import GameRegistry

ROOT = Path(__file__).parents[2]


@pytest.fixture
def macos(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")


def test_all_cores_are_counted_if_the_system_does_not_report_usable_ones(macos, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert cores() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


def test_a_tournament_runs_on_macos(macos):
    result = tournament(["TitForTat", "Parasite", "Pavlov"], games=2, seed=1, group_size=2)
    assert len(result.standings) == 3


def test_a_module_that_windows_lacks_is_explained():
    error = missing_extra(ModuleNotFoundError("No module named 'fcntl'", name="fcntl"))
    assert "Windows lacks" in str(error)
    assert missing_extra(ModuleNotFoundError("No module named 'nosuch'", name="nosuch")) is None


def test_there_are_never_more_workers_than_chunks(monkeypatch):
    worker_counts = []

    def processes(workers, plan, play, spans, files):
        worker_counts.append(workers)
        return ((span, play(plan, span)) for span in spans)

    monkeypatch.setattr("ostrom.sim.plan.spans_on_processes", processes)
    tournament(["TitForTat", "Parasite"], games=2, seed=1, workers=1000, chunk_size=1)
    assert worker_counts == [2]
    tournament(["TitForTat", "Parasite"], games=2, seed=1, workers=1000)
    assert worker_counts == [2]


def test_concurrent_threads_all_see_every_game() -> None:
    expected = set(GameRegistry())
    games = GameRegistry()
    complete = []
    start = threading.Barrier(8)

    def look_up() -> None:
        start.wait()
        complete.append("matching_pennies" in games and set(games) == expected)

    threads = [threading.Thread(target=look_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert complete == [True] * 8


def test_the_extra_for_inspect_has_the_client_of_compatible_servers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(line.startswith("openai") for line in project["optional-dependencies"]["inspect"])


def test_make_demo_installs_the_fast_engine():
    pinned = (ROOT / "requirements" / "base.txt").read_text(encoding="utf-8")
    assert "\nnumba==" in pinned
    assert "--backend compiled" in (ROOT / "Makefile").read_text(encoding="utf-8").partition("$(DEV):")[0]
