"""Games as tasks of Inspect: they run by its own runner against a real server, their scores are those of our report on
the same decisions, and their logs open and can be imported."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log

import ostrom
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.environments.tasks import TASKS
from ostrom.importers.inspect import import_logs
from ostrom.journal.open import open_journal
from ostrom.testing.provider import Provider

pytestmark = pytest.mark.slow

MODEL, NONSENSE = "openai-api/lab/m1", "openai-api/nonsense/m1"
PLAYED = {"contribute_punish": {"rounds": 2}, "trust": {}, "repeated": {"rounds": 3}}
RUNS = [
    *((MODEL, name, {"games": 3, "rules": rules, "seed": 4}) for name, rules in PLAYED.items()),
    (NONSENSE, "trust", {"games": 1, "attempts": 2}),
    (MODEL, "repeated", {"games": 1, "seat": "all", "rules": {"rounds": 1}}),
]
# In a process of its own: Inspect leaves connections to the garbage collector.
SCRIPT = """
import json, sys
from inspect_ai import eval
folder, runs = sys.argv[1], json.loads(sys.argv[2])
logs = [
    eval(f"ostrom/{name}", model=model, task_args=told, log_dir=f"{folder}/{place}", display="none")[0].location
    for place, (model, name, told) in enumerate(runs)
]
print(json.dumps(logs))
"""


@pytest.fixture(scope="module")
def servers():
    """Where the models are, as Inspect reads it."""
    with Provider(models=("m1",)) as one, Provider(models=("m1",), faults={"illegal": 1.0}) as other:
        yield {
            **{"LAB_BASE_URL": one.base_url, "NONSENSE_BASE_URL": other.base_url},
            **{"LAB_API_KEY": "none", "NONSENSE_API_KEY": "none"},
        }


@pytest.fixture(scope="module")
def every_log(servers, tmp_path_factory) -> list[EvalLog]:
    folder = tmp_path_factory.mktemp("logs")
    words = [sys.executable, "-c", SCRIPT, str(folder), json.dumps(RUNS)]
    done = subprocess.run(words, env=os.environ | servers, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [read_eval_log(path) for path in json.loads(done.stdout.splitlines()[-1])]


@pytest.fixture(scope="module")
def logs(every_log) -> dict[str, EvalLog]:
    return dict(zip(PLAYED, every_log, strict=False))


def test_every_game_is_a_task():
    # Ours alone: another test of this process may have registered one of its own.
    ours = {point.name for point in entry_points(group="ostrom.games") if point.value.startswith("ostrom.")}
    playable = {game.name for game in map(GAMES.of_command, ours) if not game.instrument}
    assert len(playable) > 5
    assert playable <= set(TASKS)


@pytest.mark.parametrize("name", PLAYED)
def test_its_log_opens_and_shows_what_was_asked(name, logs):
    log = read_eval_log(logs[name].location)
    assert (log.status, len(log.samples)) == ("success", 3)
    sample = log.samples[0]
    assert [message.role for message in sample.messages[:3]] == ["system", "user", "assistant"]
    assert any(event.event == "info" and event.source == "ostrom" for event in sample.events)
    assert sample.scores["result"].value > 0


@pytest.mark.parametrize("name", PLAYED)
def test_scores_are_those_of_our_report_on_the_same_decisions(name, logs, tmp_path):
    log, store = logs[name], f"{tmp_path}/lab.db"
    with open_journal(store, create=True) as journal:
        report = import_logs(Path(log.location), journal)
        again = import_logs(Path(log.location), journal)
    assert (report.games, report.replayed_exactly, report.new, report.mismatches) == (3, 3, 3, [])
    assert (again.games, again.new) == (3, 0)
    experiment = ostrom.open(store)["inspect"]
    scores = {key: metric.value for key, metric in log.results.scores[0].metrics.items() if key != "mean"}
    assert {"mean_final", "mean_rank", "repaired_or_defaulted"} <= set(scores)
    roles = {measure.partition(": ")[2] for measure in scores if ": " in measure}
    assert roles == ({"sender"} if name == "trust" else set())
    for measure, value in scores.items():
        measured, _, role = measure.partition(": ")
        rows = experiment.measure(measured).iter_rows(named=True)
        (row,) = [one for one in rows if one["player"] == MODEL and one.get("role", "") == role]
        assert row["value"] == pytest.approx(value), measure


def test_an_answer_that_never_comes_is_the_fallback_and_is_marked(every_log):
    log = every_log[3]
    scores = log.results.scores[0].metrics
    assert scores["repaired_or_defaulted"].value == 1.0
    assert scores["mean_final"].value == GAMES["trust"].rules().endowment
    assert [message.role for message in log.samples[0].messages].count("assistant") == 2


def test_the_model_can_hold_all_seats(every_log):
    log = every_log[4]
    record = log.samples[0].scores["result"].metadata["ostrom_record"]
    assert [seat["player"] for seat in record["seats"]] == [MODEL] * 2
    assert log.results.scores[0].metrics["mean_rank"].value == 1.5


def test_invalid_arguments_are_refused():
    with pytest.raises(ostrom.InputError, match="there is no seat 7; the table has seats 0 to 4"):
        TASKS["contribute_punish"](seat=7)
    with pytest.raises(ostrom.InputError, match="invalid rules: rounds"):
        TASKS["contribute_punish"](rules={"rounds": 0})
    with pytest.raises(ostrom.InputError, match="the model holds all seats"):
        TASKS["repeated"](seat="all", players="TitForTat")


def test_an_invalid_log_is_named_and_the_others_are_imported(logs, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "whole.eval").write_bytes(Path(logs["trust"].location).read_bytes())
    (folder / "broken.eval").write_bytes(b"PK\x03\x04 nothing")
    other = json.loads(read_eval_log(logs["trust"].location).model_dump_json())
    record = other["samples"][0]["scores"]["result"]["metadata"]["ostrom_record"]
    record["answers"][0]["value"] = 1e9
    (folder / "changed.json").write_text(json.dumps(other), encoding="utf-8")
    with open_journal(f"{tmp_path}/lab.db", create=True) as journal:
        report = import_logs(folder, journal)
    assert report.new == 3
    assert len(report.mismatches) == 1
    assert [line.partition(":")[0] for line in report.unreadable] == ["broken.eval"]


@pytest.mark.long
def test_the_command_of_inspect_finds_and_runs_them(servers, tmp_path):
    words = [sys.executable, "-m", "inspect_ai", "eval", *(f"ostrom/{name}" for name in PLAYED), "--model", MODEL]
    words += ["-T", "games=2", "--log-dir", str(tmp_path), "--display", "none"]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | servers, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    logs = [read_eval_log(str(path)) for path in sorted(tmp_path.glob("*.eval"))]
    assert sorted(log.eval.task for log in logs) == sorted(f"ostrom/{name}" for name in PLAYED)
    assert {log.status for log in logs} == {"success"}


def test_a_model_has_a_role_by_name_or_each_in_turn():
    def seats(**settings):
        return [sample.metadata["seats"] for sample in TASKS["trust"](games=4, **settings).dataset]

    assert seats(seat="returner") == seats(seat=1) == [[1]] * 4
    assert seats(seat="roles") == [[0], [1], [0], [1]]
    with pytest.raises(InputError, match=r"no seat banker.*with the roles sender, returner"):
        seats(seat="banker")
    with pytest.raises(InputError, match="have no roles"):
        TASKS["contribute_punish"](seat="roles")
