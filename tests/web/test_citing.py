"""Citations name version, seed, digest of the data and source, and the commands that make the same again."""

import re
import shlex

import pytest

from kept import opened, punish
from ostrom.analysis.citation import data_digest
from ostrom.journal.schema import SIMULATION
from serving import client

pytestmark = pytest.mark.slow
TOOL_WORDS = ("ostrom", "pip")


def test_boards_experiments_and_games_are_cited(lab):
    games = lab.get("/api/games", params={"experiment": "talk", "limit": 200}).json()["games"]
    experiment = games[0]["experiment"]
    for path in (
        "/api/citation?kind=punish",
        f"/api/experiments/{experiment}/citation",
        f"/api/games/{games[0]['id']}/citation",
    ):
        reply = lab.get(path).json()
        assert reply["bibtex"].startswith("@misc{ostrom-")
        assert reply["bibtex"].count("{") - reply["bibtex"].count(r"\{") == reply["bibtex"].count("}") - reply[
            "bibtex"
        ].count(r"\}")
        assert {"Version", "Data"} <= {fact["title"] for fact in reply["facts"]}
        assert reply["text"].startswith("The Ostrom project (20")
        for one in reply["commands"]:
            assert shlex.split(one["command"])[0] in TOOL_WORDS
        assert any(one["command"].startswith("ostrom bench punish --games 20") for one in reply["commands"])
    assert f"game {games[0]['id']}" in reply["text"]
    assert lab.get("/api/games/nothing/citation").status_code == 404


def test_the_digest_depends_on_the_games_alone(store, tmp_path):
    digests = []
    for url, name in ((store, "one"), (f"sqlite:///{tmp_path / 'other.db'}", "another")):
        with opened(url) as journal:
            experiment = journal.new_experiment(name, kind="punish")
            for number in (1, 0) if name == "another" else (0, 1):
                journal.add_game(experiment, punish(number, text="hello"), key=f"{name} {number}")
            digests.append(data_digest(journal.ended.results(["contribute_punish"])))
            more = journal.new_experiment("more", kind="punish")
            journal.add_game(more, punish(2, text="hello"), key="more")
            assert data_digest(journal.ended.results(["contribute_punish"])) not in digests
    assert digests[0] == digests[1]


def test_names_cannot_break_out_of_an_entry(store):
    with opened(store) as journal:
        experiment = journal.new_experiment('50 % {of} it_all\\\\ & "more"', kind="punish")
        journal.add_game(experiment, punish(0, text="hello"), key="0")
        with client(journal) as lab:
            entry = lab.get(f"/api/experiments/{experiment}/citation").json()["bibtex"]
    assert r"50 \% \{of\} it\_all" in entry
    assert re.match(r"@misc\{ostrom-[a-z0-9-]+,\n", entry)


def test_an_experiment_that_is_not_over_reveals_neither_seed_nor_rules(store):
    with opened(store) as journal:
        settings = {"made": {"command": "ostrom bench punish --seed 424242"}}
        experiment = journal.new_experiment("going", kind="punish", planned=2, settings=settings)
        record = punish(0, text="hello").model_copy(update={"seed": 424242})
        journal.add_game(experiment, record, key="0")
        with client(journal) as lab:
            (game,) = lab.get("/api/games").json()["games"]
            paths = (
                "/api/citation?kind=punish",
                f"/api/experiments/{experiment}/citation",
                f"/api/games/{game['id']}/citation",
            )
            for path in paths:
                assert "424242" not in lab.get(path).text


def test_a_simulation_is_cited_with_its_command(store):
    described = {"what": "sweep", "title": "Sweep of rounds", "facts": "", "charts": [], "tables": {}, "seed": 9}
    made = {
        "command": "ostrom sweep punish --vary rounds=1:9:2 --store sqlite:////home/me/private.db",
        "version": "0.1",
    }
    with opened(store) as journal:
        experiment = journal.new_experiment(
            "a sweep", kind=SIMULATION, settings={SIMULATION: described, "made": made}, planned=0
        )
        with client(journal) as lab:
            reply = lab.get(f"/api/experiments/{experiment}/citation").json()
    assert "Sweep of rounds" in reply["text"]
    assert {"title": "Seed", "text": "9"} in reply["facts"]
    commands = [one["command"] for one in reply["commands"]]
    assert "ostrom sweep punish --vary rounds=1:9:2 --store …" in [one.replace("'", "") for one in commands]
