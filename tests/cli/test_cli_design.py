"""`ostrom design`: rules that serve a population, tested on others, each of them a game to open."""

import shlex

import pytest
from commandline import GENTLE, answer, document, ostrom

QUICK = ("--turns", 4, "--candidates", 4, "--tables", 2, "--games", 1, "--seed", 3)


def test_a_design_is_tested_and_every_candidate_is_a_game_to_open():
    arguments = ("design", "--vary", "alpha=0:1", "--maximise", "welfare", "--maximise", "equality", *QUICK)
    found = document(*arguments)["design"]
    assert found["maximise"] == ["welfare", "equality"]
    assert not set(found["players"]) & set(found["held_out"])
    assert found["baseline"]["settings"] == {}
    for one in found["front"]:
        assert set(one["gain"]) == {"welfare", "equality"}
        command, *words = shlex.split(one["open"])
        played = document(*words)
        assert (command, played["game"]) == ("ostrom", "commons")
        assert (played["rules"]["alpha"], played["rules"]["turns"]) == (one["settings"]["alpha"], 4)
    table = answer(*arguments)
    assert "To open the first as a game" in table
    assert "held out" in table


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing is varied"),
        (["--vary", "alpha=1:0"], "is empty"),
        (["--vary", "alpha"], "has no values"),
        (["--vary", "alpha=0:1", "--maximise", "happiness"], "its aims are welfare"),
        (["--vary", "alpha=0:1", "--include", "Nobody"], "Nobody"),
    ],
)
def test_what_is_wrong_is_one_line(arguments, said):
    done = ostrom("design", *arguments, *QUICK)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_line_that_opens_a_design_names_the_file_of_its_players(tmp_path):
    file = tmp_path / "gentle.py"
    file.write_text(GENTLE)
    found = ostrom("design", "--vary", "alpha=0:1", "--players", file, "--held-out", "Gentle", *QUICK)
    line = next(line for line in found.stdout.splitlines() if line.startswith("   ostrom run"))
    assert f"--players {file}" in line
    again = ostrom(*shlex.split(line)[1:])
    assert "Gentle" in again.stdout, again.stderr


def test_rounds_are_those_of_the_game():
    quick = ("--candidates", 2, "--refinements", 0, "--tables", 2, "--games", 1, "--seed", 3)
    result = document("design", "punish", "--vary", "multiplier=1:2:0.5", "--rounds", 2, *quick)["design"]
    assert result["rules"]["rounds"] == 2
