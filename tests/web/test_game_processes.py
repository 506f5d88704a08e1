"""Games without people that pages start are played in processes of their own, which can be killed and resumed."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kept import opened
from ostrom.experiment.match import replay
from ostrom.journal.sql import Journal
from ostrom.web.runs import GAME_PROGRAM, ExperimentRuns
from serving import client

pytestmark = pytest.mark.slow


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        yield journal


@pytest.fixture
def runs(tmp_path: Path) -> ExperimentRuns:
    return ExperimentRuns(f"sqlite:///{tmp_path / 'journal.db'}", program=GAME_PROGRAM)


@pytest.fixture
def lab(journal: Journal, runs: ExperimentRuns) -> Iterator[TestClient]:
    with client(journal, game_runs=runs) as lab:
        yield lab
        assert lab.portal is not None
        lab.portal.call(runs.close)


def until(holds: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def start(lab: TestClient, **wanted: Any) -> str:
    reply = lab.post("/api/games", json={"game": "commons", "players": ["Pavlov"] * 4, "seed": 3, **wanted})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["experiment"])


def process_of(runs: ExperimentRuns, experiment: str) -> int:
    run = runs.of(experiment)
    assert run is not None
    assert run.process is not None
    return run.process.pid


def test_a_game_without_people_is_played_elsewhere_and_resumed_after_a_kill(
    lab: TestClient, journal: Journal, runs: ExperimentRuns
) -> None:
    experiment = start(lab, rules={"turns": 100_000})
    assert process_of(runs, experiment) != os.getpid()
    detail = lab.get(f"/api/experiments/{experiment}").json()
    assert (detail["running"], detail["run"]["state"], detail["playing"]) == (True, "running", 1)
    assert lab.post(f"/api/experiments/{experiment}/resume", json={}).status_code == 409
    until(lambda: journal.experiments()[0].answers > 100)
    os.kill(process_of(runs, experiment), signal.SIGKILL)
    until(lambda: not runs.running())
    detail = lab.get(f"/api/experiments/{experiment}").json()
    assert (detail["running"], detail["state"]) == (False, "unfinished")
    assert "SIGKILL" in detail["run"]["told"][-1]
    before = journal.experiments()[0].answers
    assert lab.post(f"/api/experiments/{experiment}/resume", json={}).status_code == 200
    until(lambda: journal.experiments()[0].answers > before)


def test_a_short_game_ends_and_replays(lab: TestClient, journal: Journal, runs: ExperimentRuns) -> None:
    experiment = start(lab, rules={"turns": 5})
    assert journal.games(experiment), "a page can show the game at once"
    until(lambda: not runs.running())
    (game,) = journal.games(experiment)
    assert game.state == "finished"
    replay(journal.record(game.id))
    assert lab.get(f"/api/experiments/{experiment}").json()["run"]["told"] == []


def test_games_with_people_stay_in_the_process_of_the_server(lab: TestClient, runs: ExperimentRuns) -> None:
    reply = lab.post("/api/games", json={"game": "punish", "players": ["human", "Cooperator", "FreeRider"]})
    assert len(reply.json()["seats"]) == 1
    assert runs.running() == []
