"""What differs from system to system: macOS does not say which cores a process may use, Windows locks no files."""

import os

import pytest

from ostrom import tournament
from ostrom.core.entry_points import cores, missing_extra


@pytest.fixture
def as_on_macos(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")


def test_cores_are_counted_where_the_system_does_not_say_which(as_on_macos, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert cores() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


def test_a_tournament_is_played_as_on_macos(as_on_macos):
    found = tournament(["TitForTat", "Parasite", "Pavlov"], games=2, seed=1, group_size=2)
    assert len(found.standings) == 3


def test_what_windows_lacks_is_said():
    told = missing_extra(ModuleNotFoundError("No module named 'fcntl'", name="fcntl"))
    assert "Windows lacks" in str(told)
    assert missing_extra(ModuleNotFoundError("No module named 'nosuch'", name="nosuch")) is None


def test_workers_never_exceed_the_work(monkeypatch):
    started = []

    def processes(workers, plan, play, spans, files):
        started.append(workers)
        return ((span, play(plan, span)) for span in spans)

    monkeypatch.setattr("ostrom.sim.plan.spans_on_processes", processes)
    tournament(["TitForTat", "Parasite"], games=2, seed=1, workers=1000, chunk_size=1)
    assert started == [2]
    tournament(["TitForTat", "Parasite"], games=2, seed=1, workers=1000)
    assert started == [2]
