"""Champions of a user's own on the command line: from a file, and from an installed package."""

import json

import pytest
from commandline import GENTLE, ostrom, seats

from sampling import sampled

TABLE = seats("Gentle", "Pavlov", "AlwaysBetray")


def document(*arguments, **environment):
    result = ostrom(*arguments, "--json", **environment)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), result.stderr


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_champions.py"
    path.write_text(GENTLE)
    return path


@pytest.fixture
def site(tmp_path):
    """A folder as an installer leaves it, with a package that declares champions."""
    folder = tmp_path / "site"
    (folder / "gentle-1.0.dist-info").mkdir(parents=True)
    (folder / "gentle_champions.py").write_text(GENTLE)
    (folder / "gentle-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: gentle\nVersion: 1.0\n")
    (folder / "gentle-1.0.dist-info" / "entry_points.txt").write_text("[ostrom.players]\ngentle = gentle_champions\n")
    return folder


def row_of(found, name="Gentle"):
    return next(row for row in found["standings"] if row["name"] == name)


def test_a_file_brings_its_champion_to_a_game(file):
    found, said = document("run", "--players", file, *TABLE, "--seed", 1, "--turns", 4)
    assert row_of(found)["mean_contribution"] == 0.75
    assert said == ""


def test_a_file_brings_its_champion_to_a_table_of_all(file):
    found, _ = document("run", "--players", file, "--seed", 1, "--turns", 4)
    assert len(found["standings"]) == 17
    assert row_of(found)["seat"] == 16


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_file_brings_its_champion_to_a_tournament_which_says_that_it_is_slower(file, workers):
    options = ["--seed", 1, "--turns", 4, "--games", 6, "--group-size", 2, "--chunk-size", 4, "--workers", workers]
    found, said = document("tournament", "--players", file, *TABLE, *options)
    assert row_of(found)["mean_contribution"] == 0.75
    assert found["plain_python"] == ["Gentle"]
    assert said.startswith("Gentle: ")
    assert "slows the tournament" in said
    assert len(said.splitlines()) == 1


def test_a_tournament_of_built_in_champions_does_not_say_so(file):
    found, said = document("tournament", "--players", file, *seats("Pavlov:2"), "--seed", 1, "--turns", 4, "--games", 2)
    assert found["plain_python"] == []
    assert said == ""


def test_a_file_shows_in_the_list(file):
    found, _ = document("list", "champions", "--players", file)
    assert found["champions"][-1]["name"] == "Gentle"
    assert found["champions"][-1]["description"] == "Gives three quarters"
    assert "my_champions" in found["champions"][-1]["from"]


def test_two_files_play_together(file, tmp_path):
    second = tmp_path / "others.py"
    second.write_text(GENTLE.replace("Gentle", "Kind"))
    found, _ = document(
        *("run", "--players", file, "--players", second, *seats("Gentle", "Kind"), "--seed", 1, "--turns", 2)
    )
    assert {row["name"] for row in found["standings"]} == {"Gentle", "Kind"}


@pytest.mark.slow
def test_two_files_of_one_name_in_two_folders_play_on_two_processes(file, tmp_path):
    second = tmp_path / "more" / file.name
    second.parent.mkdir()
    second.write_text(GENTLE.replace("Gentle", "Kind"))
    files = ["--players", file, "--players", second]
    options = ["--seed", 1, "--turns", 2, "--games", 4, "--chunk-size", 2, "--workers", 2]
    found, _ = document("tournament", *files, *seats("Gentle", "Kind"), *options)
    assert {row["name"] for row in found["standings"]} == {"Gentle", "Kind"}


def test_a_game_with_a_users_champion_replays_without_its_file(file, tmp_path):
    record = tmp_path / "game.json"
    played, _ = document("run", "--players", file, *TABLE, "--seed", 1, "--turns", 4, "--output", record)
    again, _ = document("run", "--replay", record)
    assert again["standings"] == played["standings"]


def test_a_game_is_taken_out_of_a_tournament_with_a_users_champion(file):
    options = f"--players '{file}' --include Gentle --include RandomPlayer --games 3 --turns 4 --seed 1"
    found, _ = document("run", "--from-tournament", options, "--number", 2)
    assert row_of(found)["mean_contribution"] == 0.75


@pytest.mark.slow
def test_an_installed_package_brings_its_champions(site):
    found, _ = document("list", "champions", PYTHONPATH=str(site))
    assert found["champions"][-1] == {
        "name": "Gentle",
        "from": "gentle_champions",
        "description": "Gives three quarters",
    }
    found, _ = document("run", *TABLE, "--seed", 1, "--turns", 4, PYTHONPATH=str(site))
    assert row_of(found)["mean_contribution"] == 0.75


@pytest.mark.slow
def test_an_installed_champion_plays_a_tournament_on_two_processes(site):
    options = ["--seed", 1, "--turns", 4, "--games", 4, "--chunk-size", 2, "--workers", 2]
    found, said = document("tournament", *TABLE, *options, PYTHONPATH=str(site))
    assert row_of(found)["mean_contribution"] == 0.75
    assert "slows the tournament" in said


@pytest.mark.slow
@pytest.mark.parametrize("broken", sampled(["import nosuchmodule", "raise SystemExit(3)", "def broken(:"], 1))
def test_an_installed_package_that_does_not_import_is_told_in_one_line_and_stops_nothing(site, broken):
    (site / "gentle_champions.py").write_text(broken)
    result = ostrom("run", *seats("Pavlov:2"), "--json", PYTHONPATH=str(site))
    assert result.returncode == 0
    assert len(json.loads(result.stdout)["standings"]) == 2
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("ostrom: ")
    assert "gentle_champions" in result.stderr
