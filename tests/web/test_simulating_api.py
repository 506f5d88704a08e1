"""Simulations are started from a page with the settings of their commands; requests can name no files."""

import time

import pytest

from kept import opened
from ostrom.core import InputError
from ostrom.journal.schema import SIMULATION
from ostrom.web.api.simulating import KINDS, StartSimulation, kinds_of_simulation, words_of
from ostrom.web.runs import ExperimentRuns
from serving import client

_PATIENCE_S = 1200.0


def request(kind="sweep", **changes):
    return StartSimulation(**{"kind": kind, "game": "punish", "settings": {"vary": ["rounds=2:6:2"]}, **changes})


def test_a_request_becomes_the_words_of_a_command():
    settings = {"vary": ["rounds=2:6:2", "start=10,20"], "games": "20", "seed": "3", "design": "factorial"}
    words = words_of(request(players=["Cooperator", "FreeRider:2"], settings=settings, rules={"multiplier": 2}))
    assert words == [
        *("sweep", "punish", "--include", "Cooperator", "--include", "FreeRider:2"),
        *("--vary", "rounds=2:6:2", "--vary", "start=10,20", "--games", "20", "--seed", "3", "--design", "factorial"),
        *("--rule", "multiplier=2.0"),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "serve"},
        {"game": "nothing"},
        {"players": ["policy:/etc/passwd"]},
        {"players": ["written:strategy"]},
        {"players": ["Nobody"]},
        {"settings": {"vary": ["rounds=2:4"], "output": "/tmp"}},
        {"settings": {"cluster": "tls://elsewhere"}},
        {"settings": {"workers": "64"}},
        {"settings": {"vary": ["rounds=2:4"], "games": "0"}},
        {"settings": {"vary": ["rounds=2:4"], "games": ["1", "2"]}},
        {"settings": {"vary": ["../../file.py"]}},
        {"settings": {"vary": ["--plugin"]}},
        {"settings": {"design": "other"}},
        {"rules": {"rounds": 0}},
        {"rules": {"nothing": 1}},
        {"kind": "respond", "settings": {"against": ["policy:file"]}},
        {"kind": "respond", "players": ["Cooperator"], "settings": {}},
        {"kind": "evolve", "settings": {"matrix": "table.csv"}},
        {"kind": "evolve", "settings": {"players": ["strategy.py"]}},
        {"kind": "evolve", "settings": {"structure": "graph.csv"}},
    ],
    ids=str,
)
def test_files_options_and_invalid_values_are_refused(changes):
    with pytest.raises(InputError):
        words_of(request(**changes))


def test_no_field_of_a_dialog_names_a_file():
    kinds = {kind.name: kind for kind in kinds_of_simulation().kinds}
    assert set(kinds) == set(KINDS)
    for kind in kinds.values():
        names = {field.name for field in kind.fields}
        assert "seed" in names
        assert not names & {"output", "chart", "keep", "matrix", "cluster", "workers", "backend"}
        for field in kind.fields:
            assert field.meaning
            assert "FILE" not in field.form + "".join(field.options)


def test_only_a_server_that_steers_starts_simulations(store):
    with opened(store) as journal, client(journal) as lab:
        assert lab.get("/api/simulations").status_code == 403
        assert lab.post("/api/simulations", json=request().model_dump()).status_code == 403


@pytest.mark.slow
def test_a_simulation_runs_is_stored_and_can_be_stopped(store):
    with opened(store) as journal:
        runs = ExperimentRuns(store)
        with client(journal, runs=runs) as lab:
            quick = request(
                "tournament", players=["Cooperator", "FreeRider", "Retaliator"], settings={"games": "2", "seed": "5"}
            )
            started = lab.post("/api/simulations", json=quick.model_dump())
            assert started.status_code == 201, started.text
            ended = _wait(lab, started.json()["number"])
            assert ended["experiment"], ended
            detail = lab.get(f"/api/experiments/{ended['experiment']}").json()
            assert detail["kind"] == SIMULATION
            assert detail["settings"][SIMULATION]["seed"] == 5
            assert detail["settings"]["made"]["command"].startswith("ostrom tournament punish --include Cooperator")

            long = request(settings={"vary": ["rounds=2:30:1"], "games": "100000"})
            number = lab.post("/api/simulations", json=long.model_dump()).json()["number"]
            stopped = lab.post(f"/api/simulations/{number}/stop", json={})
            assert stopped.status_code == 200
            assert _wait(lab, number)["experiment"] is None
            again = lab.post(f"/api/simulations/{number}/again", json={}).json()
            assert again["command"] == stopped.json()["command"]
            lab.post(f"/api/simulations/{again['number']}/stop", json={})
            _wait(lab, again["number"])
            assert lab.post("/api/simulations/99/stop", json={}).status_code == 404
            refused = lab.post("/api/simulations", json=request(settings={"vary": ["a/b"]}).model_dump())
            assert refused.status_code == 400
            lab.portal.call(runs.close)


def _wait(lab, number):
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        item = next(one for one in lab.get("/api/simulations").json()["simulations"] if one["number"] == number)
        if item["state"] == "ended":
            return item
        time.sleep(0.1)
    raise AssertionError(f"simulation {number} did not end")
