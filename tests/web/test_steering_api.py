"""Experiments steered from the pages: only with `--steer`, within a budget, with the checks of the command line;
renamed, archived and deleted."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kept import opened, punish, suspend_game
from ostrom.analysis.selection import Selection, select_tables
from ostrom.experiment.plan import experiment_of
from ostrom.findings.ratings import plan_notes
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import FOLDER_VARIABLE
from ostrom.testing.provider import Provider
from ostrom.web.runs import ExperimentRuns
from serving import client, ids

# A command in place of `ostrom resume`: it says how it was called and who told it to stop, and ends at the second word.
FAKE = """
import os, signal, sys, time
heard = []
def note(number, frame):
    heard.append(number)
    print("ostrom: heard", len(heard), file=sys.stderr, flush=True)
signal.signal(signal.SIGINT, note)
print("no word for the user", file=sys.stderr)
told = os.environ["OSTROM_STORE"], os.environ.get("OSTROM_TOKEN")
print("ostrom: run", *sys.argv[1:], *told, file=sys.stderr, flush=True)
wanted = 2 if "insists" in sys.argv[-1] else 1
deadline = time.monotonic() + 600
while len(heard) < wanted and time.monotonic() < deadline:
    time.sleep(0.01)
print("ostrom: the budget is spent; 1 of 2 games are over. Resume with: ostrom resume x", file=sys.stderr)
sys.exit(1)
"""
BENCH = {
    "game": "punish",
    "players": ["ash", "Cooperator", "FreeRider"],
    "seats": 3,
    "games": 3,
    "seed": 5,
    "rules": {"rounds": 1, "messages": False},
}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        yield journal


@pytest.fixture
def lab(journal: Journal) -> Iterator[TestClient]:
    runs = ExperimentRuns("the-store", program=(sys.executable, "-c", FAKE, "resume"))
    with client(journal, runs=runs) as lab:
        yield lab
        assert lab.portal is not None
        lab.portal.call(runs.close)


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Describes a bot at a provider that answers."""
    (tmp_path / "bots").mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "bots"))
    with Provider() as provider:

        def describe(name: str = "ash", **more: Any) -> None:
            told = {"model": "m", "base_url": provider.base_url, "price": {"input": 3.0, "output": 15.0}, **more}
            (tmp_path / "bots" / f"{name}.json").write_text(json.dumps(told))

        describe()
        yield describe


def until(lab: TestClient, experiment: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    for _ in range(30_000):
        result: dict[str, Any] = lab.get(f"/api/experiments/{experiment}").json()
        if wanted(result):
            return result
        time.sleep(0.02)
    raise AssertionError(result)


def detail(answer: Any) -> str:
    return str(answer.json()["detail"])


def test_the_bounds_of_the_dialog_are_those_of_the_settings(lab: TestClient) -> None:
    settings = lab.get("/api/choices").json()["settings"]["properties"]
    assert (settings["games"]["minimum"], settings["games"]["maximum"]) == (1, 10_000)
    assert settings["seed"]["anyOf"][0]["minimum"] == 0
    assert settings["budget"]["anyOf"][0]["exclusiveMinimum"] == 0
    assert settings["token_budget"]["anyOf"][0]["type"] == "integer"


def test_a_server_that_was_not_started_for_it_steers_nothing(journal: Journal) -> None:
    journal.new_experiment("one", kind="punish")
    with client(journal) as lab:
        assert lab.get("/api/lab").json()["steers"] is False
        asked = [lab.get("/api/choices"), lab.post("/api/benchmarks", json={**BENCH, "budget": 1})]
        asked.append(lab.post("/api/benchmarks/estimate", json=BENCH))
        bodies: dict[str, Any] = {"rename": {"name": "x"}, "tags": {"add": ["x"]}, "archive": {"archived": True}}
        bodies |= {"delete": {"confirm": "punish-1"}, "budget": {"budget": 1}, "pause": {}, "stop": {}}
        asked += [lab.post(f"/api/experiments/one/{what}", json=body) for what, body in bodies.items()]
    assert {one.status_code for one in asked} == {403}
    assert all("ostrom serve --steer" in detail(one) for one in asked)
    assert [row.name for row in journal.experiments()] == ["one"]


def test_nothing_is_spent_without_a_budget(lab: TestClient, journal: Journal, bot: Any) -> None:
    refused = lab.post("/api/benchmarks", json=BENCH)
    assert (refused.status_code, "set a budget" in detail(refused)) == (400, True)
    assert lab.post("/api/benchmarks", json={**BENCH, "budget": 0}).status_code == 422
    assert journal.experiments() == []


def test_an_estimate_asks_nobody_and_needs_no_budget(lab: TestClient, journal: Journal, bot: Any) -> None:
    result = lab.post("/api/benchmarks/estimate", json=BENCH).json()
    assert (result["games"], result["models"][0]["calls"] > 0, result["total"]["dollars"] > 0) == (3, True, True)
    bounded = lab.post("/api/benchmarks/estimate", json={**BENCH, "budget": 0.2}).json()
    assert "reserves up to" in bounded["notes"][0]
    assert journal.experiments() == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"players": ["Nobody", "Cooperator:2"]}, "neither a player of punish nor a bot"),
        ({"players": ["/etc/passwd.json", "Cooperator:2"]}, "neither a player of punish nor a bot"),
        ({"players": ["policy:/etc/passwd", "Cooperator:2"]}, "neither a player of punish nor a bot"),
        ({"players": ["human", "ash", "Cooperator"]}, "people can play in single games only"),
        ({"players": ["Cooperator:2", "FreeRider"]}, "limits apply to models only"),
        ({"models": ["http://127.0.0.1/v1"]}, "an address belongs in base_url"),
        ({"models": ["openai:gpt-5-mini"]}, "OPENAI_API_KEY"),
        ({"rules": {"rounds": 0}}, "rounds"),
        ({"game": "judge_promises"}, "judge_promises"),
    ],
)
def test_a_page_starts_what_the_command_line_would(
    lab: TestClient, journal: Journal, bot: Any, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], reason: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    refused = lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0, **change})
    assert (refused.status_code, reason in detail(refused)) in ((400, True), (404, True)), refused.text
    assert journal.experiments() == []


def test_no_key_goes_to_a_host_that_nobody_confirmed(
    lab: TestClient, journal: Journal, bot: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("SECRET_KEY", "a-secret-of-thirty-signs-or-more")
    bot(key_env="SECRET_KEY")
    refused = lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0})
    assert "ostrom keys allow SECRET_KEY" in detail(refused)
    assert "a-secret" not in refused.text
    assert journal.experiments() == []


def test_a_run_is_the_command_line_s_own_and_tells_why_it_ended(
    lab: TestClient, journal: Journal, bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OSTROM_TOKEN", "rain-harbour-42-vinyl")
    started = lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0, "name": "first"}).json()
    kept = journal.settings(started["experiment"])
    assert kept["made"]["command"] == (
        "ostrom bench punish --games 3 --seed 5 --seats 3 --include ash --include Cooperator --include FreeRider "
        "--rule rounds=1 --rule messages=False --budget 1"
    )
    planned = experiment_of("first", kept)
    assert planned.limits is not None
    assert (planned.limits.budget, planned.games, list(planned.models)) == (1.0, 3, ["ash"])
    result = until(lab, "first", lambda one: bool(one["run"]["told"]))
    assert result["run"] == {"state": "running", "told": ["run resume -- punish-1 the-store None"]}
    assert (result["running"], result["account"]["budget"]) == (True, 1.0)
    again = lab.post("/api/experiments/first/resume", json={})
    assert (again.status_code, detail(again)) == (409, "punish-1 is already being played here")
    assert lab.post("/api/experiments/first/pause", json={}).json()["state"] == "pausing"
    result = until(lab, "first", lambda one: one["run"]["state"] == "ended")
    assert result["run"]["told"][1:] == ["heard 1", "the budget is spent; 1 of 2 games are over."]
    assert lab.post("/api/experiments/first/pause", json={}).status_code == 409


def test_a_budget_is_raised_and_never_lowered(lab: TestClient, journal: Journal, bot: Any) -> None:
    lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0, "name": "first"})
    until(lab, "first", lambda one: bool(one["run"]["told"]))
    lower = lab.post("/api/experiments/first/budget", json={"budget": 0.5})
    assert detail(lower) == "punish-1 may use $1.0000; a budget can be raised, not lowered"
    assert lab.post("/api/experiments/first/budget", json={}).status_code == 400
    lab.post("/api/experiments/first/budget", json={"budget": 2.5})
    raised = ["run resume --budget 2.5 -- punish-1 the-store None"]
    result = until(lab, "first", lambda one: one["run"]["told"] == raised)
    assert result["run"]["state"] == "running"
    lab.post("/api/experiments/first/pause", json={})
    until(lab, "first", lambda one: one["run"]["state"] == "ended")
    # What a run was given holds for the next one, whoever starts it.
    journal.new_run("first", {"limits": {"budget": 2.5, "token_budget": 9000}})
    lab.post("/api/experiments/first/resume", json={"token_budget": 10_000})
    result = until(lab, "first", lambda one: one["run"]["told"] != [])
    assert result["run"]["told"] == ["run resume --budget 2.5 --token-budget 10000 -- punish-1 the-store None"]


def test_a_stop_insists(lab: TestClient, bot: Any) -> None:
    lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0})
    until(lab, "punish-1", lambda one: bool(one["run"]["told"]))
    lab.post("/api/experiments/punish-1/stop", json={})
    result = until(lab, "punish-1", lambda one: one["run"]["state"] == "ended")
    assert "heard 1" in result["run"]["told"]


def test_what_another_process_runs_is_left_to_it(lab: TestClient, journal: Journal, bot: Any) -> None:
    lab.post("/api/benchmarks", json={**BENCH, "budget": 1.0})
    lab.post("/api/experiments/punish-1/pause", json={})
    until(lab, "punish-1", lambda one: one["run"]["state"] == "ended")
    with journal.claim("punish-1"):
        for what, body in (("resume", {}), ("delete", {"confirm": "punish-1"})):
            refused = lab.post(f"/api/experiments/punish-1/{what}", json=body)
            assert (refused.status_code, "another process" in detail(refused)) == (409, True)
    assert len(journal.experiments()) == 1


def test_a_run_ends_in_order_when_its_server_is_gone(tmp_path: Path) -> None:
    """The command as a server starts it hears Ctrl-C when its standard input ends."""
    script = tmp_path / "script.py"
    script.write_text(
        "import signal, sys, time\n"
        "import ostrom.cli\n"
        "def start():\n"
        "    try:\n"
        "        print('begun', flush=True)\n"
        "        time.sleep(600)\n"
        "    except KeyboardInterrupt:\n"
        "        print('a word', file=sys.stderr, flush=True)\n"
        "        sys.exit(7)\n"
        "ostrom.cli.start = start\n"
        "from ostrom.cli.child import main\n"
        "main()\n"
    )
    reading, writing = os.pipe()
    out, told = os.pipe()
    nobody, broken = os.pipe()
    os.close(nobody)  # whoever read what it says is gone with the server
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, str(script)],
        os.environ,
        file_actions=[
            *((os.POSIX_SPAWN_DUP2, end, number) for end, number in ((reading, 0), (told, 1), (broken, 2))),
        ],
        setsigmask=[],
        setsigdef=[signal.SIGINT],
    )
    os.close(reading)
    os.close(broken)
    assert os.read(out, 5) == b"begun"
    os.close(writing)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7


def test_what_is_archived_leaves_lists_and_boards_and_comes_back(lab: TestClient, journal: Journal) -> None:
    for name in ("one", "two"):
        experiment = journal.new_experiment(name, kind="punish")
        for number in range(2):
            journal.add_game(experiment, punish(number + (name == "two")), key=f"{name}-{number}")

    def boards() -> tuple[int, int, list[str]]:
        study = lab.get("/api/studies").json()["studies"][0]
        rated = lab.get("/api/ratings?kind=punish").json()
        return study["games"], rated["games"], ids(study["experiments"])

    def listed(query: str = "") -> list[str]:
        return ids(lab.get(f"/api/experiments{query}").json()["experiments"])

    together = boards()
    assert together[2] == ["punish-1", "punish-2"]
    assert lab.post("/api/experiments/two/archive", json={"archived": True}).status_code == 200
    assert (listed(), listed("?archived=true")) == (["punish-1"], ["punish-2"])
    assert lab.get("/api/experiments").json()["archived"] == 1
    alone = boards()
    assert (alone[0], alone[2]) == (2, ["punish-1"])
    assert alone[1] < together[1]
    assert lab.get("/api/experiments/two").json()["archived"] is True
    lab.post("/api/experiments/two/archive", json={"archived": False})
    assert (boards(), listed()) == (together, ["punish-2", "punish-1"])
    wrong = lab.post("/api/experiments/two/delete", json={"confirm": "two"})
    assert (wrong.status_code, detail(wrong)) == (400, "to delete punish-2 permanently, type its id: punish-2")
    assert lab.post("/api/experiments/two/delete", json={"confirm": "punish-2"}).status_code == 200
    assert (boards(), listed()) == (alone, ["punish-1"])
    assert lab.get("/api/experiments/punish-2").status_code == 404


def test_names_and_tags_are_given_from_a_page(lab: TestClient, journal: Journal) -> None:
    journal.new_experiment("one", kind="punish")
    assert lab.post("/api/experiments/one/rename", json={"name": "pilot"}).json()["experiment"] == "punish-1"
    assert lab.post("/api/experiments/pilot/tags", json={"add": ["keep", "paper"]}).json()["tags"] == ["keep", "paper"]
    lab.post("/api/experiments/pilot/tags", json={"remove": ["keep"]})
    result = lab.get("/api/experiments/punish-1").json()
    assert (result["name"], result["tags"]) == ("pilot", ["paper"])
    assert lab.post("/api/experiments/pilot/rename", json={"name": "two\nlines"}).status_code == 400


def test_the_cause_of_a_model_that_was_given_up_is_told(lab: TestClient, journal: Journal) -> None:
    experiment = journal.new_experiment("one", kind="punish", planned=1)
    reason = "ash is unavailable: no call has succeeded for 600 s; the last one: HTTP 500: <b>out of order</b>"
    suspend_game(journal, experiment, punish(), reason)
    assert lab.get("/api/experiments/one").json()["suspended"] == [{"reason": reason, "games": 1}]
    journal.add_game(experiment, punish(), key="1")
    tables, _ = select_tables(journal, Selection.select(experiment), print)
    (note,) = plan_notes(journal, tables, "none").notes
    assert note == f"Missing: 1 game of punish-1 is suspended: {reason}."


def test_another_site_s_page_steers_nothing(lab: TestClient, journal: Journal) -> None:
    journal.new_experiment("one", kind="punish")
    foreign = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    for path in ("benchmarks", "experiments/one/delete", "experiments/one/stop"):
        assert lab.post(f"/api/{path}", json={}, headers=foreign).status_code == 403
        plain = lab.post(f"/api/{path}", content="{}", headers={"Content-Type": "text/plain"})
        assert plain.status_code == 415
    assert len(journal.experiments()) == 1
