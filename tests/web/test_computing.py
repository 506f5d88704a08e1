"""Long computations in a separate process have the same result, and do not block the server."""

import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import pytest

from ostrom.analysis.rating_settings import USUAL, RatingSettings
from ostrom.analysis.study import study_of_game
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.web import computing
from ostrom.web.computing import InProcess, MeasureTask, RatingTask, StudyProcess
from ostrom.web.log import TerseLog
from studied import played


@pytest.fixture(scope="module")
def tables() -> GameTables:
    study = study_of_game(GAMES["contribute_punish"])
    assert study is not None
    result: GameTables = study.tables((f"game-{key}", "experiment", record) for key, record in played(True))
    return result


@pytest.fixture(scope="module")
def process():
    one = StudyProcess(idle=600)
    yield one
    one.close()


@pytest.fixture(autouse=True)
def everything_is_long(monkeypatch):
    monkeypatch.setattr(computing, "_MIN_LONG_GAMES", 1)


@dataclass(frozen=True)
class Unknown(MeasureTask):
    """Something that the other process has never heard of."""

    def run(self, of: Any) -> Any:
        return "computed here"


@pytest.mark.slow
def test_another_process_finds_what_is_found_here(process, tables, monkeypatch):
    here = {task: InProcess().compute(task, "all", tables) for task in (RatingTask(USUAL), MeasureTask("mean_final"))}
    monkeypatch.setattr(computing, "rate_players", None)
    monkeypatch.setattr(computing, "study_of", None)
    assert process.compute(RatingTask(USUAL), "all", tables) == here[RatingTask(USUAL)]
    first = process.pid
    for _ in range(2):  # the second time the tables are there already
        assert process.compute(MeasureTask("mean_final"), "all", tables).equals(here[MeasureTask("mean_final")])
    assert process.pid == first is not None


def test_what_is_refused_there_is_refused_here(process, tables):
    with pytest.raises(InputError, match="passes must be at least 1, got 0"):
        process.compute(RatingTask(RatingSettings(passes=0)), "all", tables)


def test_what_the_process_cannot_do_is_done_here_and_said(process, tables, monkeypatch, capsys):
    monkeypatch.setattr(computing, "LOG", TerseLog())
    assert process.compute(Unknown("mean_final"), "all", tables) == "computed here"
    assert "Unknown is computed in the server: its own process failed (EOFError" in capsys.readouterr().err


@pytest.mark.slow
def test_a_fault_there_is_said_and_fails_here_too(process, tables, monkeypatch, capsys):
    monkeypatch.setattr(computing, "LOG", TerseLog())
    with pytest.raises(TypeError, match="asdict"):
        process.compute(RatingTask(None), "all", tables)
    assert "RatingTask is computed in the server: its own process failed (TypeError: asdict" in capsys.readouterr().err


def test_a_process_that_does_not_start_costs_no_answer(tables, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    one = StudyProcess()
    assert one.compute(RatingTask(USUAL), "all", tables) == InProcess().compute(RatingTask(USUAL), "all", tables)
    assert one.pid is None


def test_it_ends_when_nothing_is_asked_of_it(process, tables, monkeypatch):
    monkeypatch.setattr(process, "_idle", 0.01)
    process.compute(MeasureTask("mean_rank"), "all", tables)
    until = time.monotonic() + 600
    while process.pid is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert process.pid is None


@pytest.mark.slow
def test_a_server_starts_without_what_only_some_answers_need():
    heavy = {"numba", "scipy", "vl_convert", "PIL", "pydantic_ai", "statsmodels", "ostrom.games"}
    script = f"import sys, ostrom.cli.serve; print(*sorted({heavy!r} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout == "\n"


def test_few_games_need_no_process(tables, monkeypatch):
    monkeypatch.setattr(computing, "_MIN_LONG_GAMES", tables.games.height + 1)
    one = StudyProcess()
    one.compute(RatingTask(USUAL), "all", tables)
    assert one.pid is None


def test_nothing_is_begun_when_the_server_stops(tables):
    one = StudyProcess()
    one.close()
    with pytest.raises(InputError, match="the server is stopping"):
        one.compute(RatingTask(USUAL), "all", tables)
    assert one.pid is None
