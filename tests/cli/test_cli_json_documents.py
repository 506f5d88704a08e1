"""`--json`: one document on standard output for every command, with what was promised in it."""

import json
import re

import pytest
from commandline import answer, document, ostrom, seats

from ostrom.core.plugins import GAMES
from ostrom.games.commons import CommonsRules
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.version import VERSION
from support import BUILT_IN

TABLE = seats("Justicier:2", "Parasite", "RandomPlayer", "Capitaliste")


def test_a_game():
    found = document("run", *TABLE, "--seed", 5, "--duration", 6)
    assert list(found) == ["game", "seed", "number", "turns", "rules", "standings", "remark"]
    assert (found["game"], found["seed"], found["number"]) == ("commons", 5, 0)
    assert found["rules"] == CommonsRules(duration=6).model_dump(mode="json")
    assert [row["rank"] for row in found["standings"]] == sorted(row["rank"] for row in found["standings"])
    assert {row["name"] for row in found["standings"]} == {"Justicier", "Parasite", "RandomPlayer", "Capitaliste"}
    row = found["standings"][0]
    assert set(row) == {
        *("rank", "seat", "label", "name", "final", "capital"),
        *("mean_contribution", "lobbied", "excluded_after_turn"),
    }
    excluded = {row["name"]: row["excluded_after_turn"] for row in found["standings"]}
    assert excluded["Parasite"] == 2


def test_a_game_with_every_turn():
    found = document("run", *TABLE, "--seed", 5, "--duration", 6, "-v")
    turns = [event for event in found["events"] if event["event"] == "turn_played"]
    assert len(turns) == found["turns"]
    assert found["events"][-1]["capitals"] == turns[-1]["capitals"]


def test_a_tournament():
    found = document("tournament", *TABLE, "--games", 4, "--group-size", 3, "--seed", 5, "--duration", 6)
    assert {"games", "seconds", "player_turns", "standings", "seed", "rules"} <= set(found)
    assert (found["games"], found["tables"], found["group_size"], found["seed"]) == (40, 10, 3, 5)
    assert found["player_turns"] > 0
    for row in found["standings"]:
        assert {"rank", "name", "win_rate", "mean_capital", "median_capital", "mean_contribution"} <= set(row)
        assert 0.0 <= row["win_rate"] <= 1.0
        assert set(row["estimates"]["win_rate"]) == {"value", "low", "high", "reason"}


def test_lists():
    found = document("list")
    assert [entry["name"] for entry in found["champions"]] == list(BUILT_IN)
    assert all(entry["description"] for entry in found["champions"])
    assert [entry["name"] for entry in found["games"]] == [
        game.command for game in GAMES.values() if not game.instrument
    ]
    assert list(document("list", "games")) == ["games"]
    assert list(document("list", "champions")) == ["champions"]


def test_the_doctor():
    checks = {check["what"]: check for check in document("doctor")["doctor"]}
    assert checks["ostrom"]["detail"] == VERSION
    assert checks["engines"]["state"] == "ok"
    assert {check["state"] for check in checks.values()} <= {"ok", "absent"}


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.slow
def test_the_demo(tmp_path):
    found = document("demo", "--report", tmp_path)["demo"]
    assert found["run"]["seed"] == found["tournament"]["seed"] == 42
    assert found["tournament"]["games"] == 1820 * 5
    assert {rating["name"] for rating in found["ratings"]} == set(PUNISHERS)
    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", *TABLE, "--duration", 6],
        ["tournament", *TABLE, "--duration", 6, "--games", 2],
    ],
)
def test_in_a_process_of_its_own_only_json_is_printed_and_its_random_seed_plays_it_again(arguments):
    first = ostrom(*arguments, "--json")
    assert (first.returncode, first.stderr) == (0, "")
    found = json.loads(first.stdout)
    again = ostrom(*arguments, "--json", "--seed", found["seed"])
    without_time = re.compile(r'"seconds": .*')
    assert without_time.sub("", again.stdout) == without_time.sub("", first.stdout)


def test_seeds_are_drawn_anew():
    assert len({document("run", "--include", "Pavlov:2", "--turns", 1)["seed"] for _ in range(5)}) == 5


@pytest.mark.parametrize("options", [(), ("--seed", 77)])
def test_the_seed_is_shown_to_people_too(options):
    text = answer("run", *TABLE, "--duration", 6, *options)
    seed = int(re.search(r"seed (\d+)", text).group(1))
    assert answer("run", *TABLE, "--duration", 6, "--seed", seed) == text
    table = answer("tournament", *TABLE, "--duration", 6, "--games", 2, "--seed", seed)
    assert f"seed {seed}" in table


@pytest.mark.parametrize("chunk_size", [1, 7, 4096])
def test_a_tournament_is_the_same_byte_for_byte_but_for_its_time(chunk_size):
    arguments = ["tournament", *TABLE, "--games", 4, "--group-size", 3, "--seed", 5, "--duration", 6, "--json"]
    without_time = re.compile(r'"seconds": .*')
    whole, cut = answer(*arguments), answer(*arguments, "--chunk-size", chunk_size)
    assert without_time.sub("", cut) == without_time.sub("", whole)


@pytest.mark.slow
def test_two_processes_print_what_one_prints():
    arguments = ["tournament", *TABLE, "--games", 4, "--seed", 5, "--duration", 6, "--json", "--chunk-size", 2]
    one, two = (json.loads(ostrom(*arguments, "--workers", workers).stdout) for workers in (1, 2))
    assert one | {"seconds": 0} == two | {"seconds": 0}
