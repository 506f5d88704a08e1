"""`ostrom sweep` as users type it."""

import json
import shlex
import signal
import subprocess
import time

import polars as pl
import pytest
from commandline import GENTLE, OSTROM, answer, ostrom

SHORT = ["--include", "Opportuniste:2", "--include", "RandomPlayer", "--duration", 6, "--games", 4, "--seed", 5]


def document(*arguments):
    return json.loads(answer("sweep", *arguments, "--json"))


def test_the_document_has_every_point_with_its_intervals_and_its_line():
    words = ["--vary", "alpha=0:1:0.5", "--vary", "voting=yes,no", *SHORT, "--games", 40]
    found = document(*words, "--boundary", "contribution=0.5")
    assert [point["values"] for point in found["points"]][:2] == [
        {"alpha": 0.0, "voting": True},
        {"alpha": 0.0, "voting": False},
    ]
    for point in found["points"]:
        welfare = point["estimates"]["welfare"]
        assert welfare["low"] <= welfare["value"] <= welfare["high"]
        assert point["command"].startswith("ostrom run commons")
    assert found["seed"] == 5
    assert {row["kind"] for row in found["indices"]} == {"first", "total", "interaction"}


def test_a_point_opens_as_its_game():
    words = ["sweep", "--vary", "alpha=0:1:0.5", *SHORT]
    found = document(*words[1:])
    shown = answer(*words, "--open", 1, "--number", 3)
    line = shown.rstrip().splitlines()[-1]
    assert "--from-tournament" in line
    again = json.loads(answer(*_words(line), "--json"))
    finals = [seat["final"] for seat in again["standings"]]
    assert len(finals) == 3
    alone = json.loads(answer(*_words(found["points"][1]["command"]), "--json"))
    assert alone["rules"]["alpha"] == again["rules"]["alpha"] == 0.5


def _words(line):
    return [word for word in shlex.split(line)[1:] if word != "-v"]


def test_the_terminal_lists_few_points_and_sums_up_many():
    few = answer("sweep", "--vary", "alpha=0:1:0.5", *SHORT)
    assert "3 points · 4 games each" in " ".join(few.split())
    assert "welfare: the games vary so unevenly that an interval needs at least" in " ".join(few.split())
    many = answer("sweep", "--vary", "alpha=0:1:0.02", *SHORT, "--games", 2, "--boundary", "contribution=0.5")
    assert "highest" in many
    assert "alpha where contribution = 0.5" in many


def test_files_are_written(tmp_path):
    said = answer("sweep", "--vary", "alpha=0,1", *SHORT, "--measure", "welfare", "-o", tmp_path / "made")
    assert "line-welfare" in said
    assert (tmp_path / "made" / "tables" / "points.csv").read_text().startswith("point,alpha,measure")


@pytest.mark.slow
def test_a_sweep_that_was_killed_goes_on_with_what_is_missing(tmp_path):
    # Plain Python, so that there is time to kill it.
    words = [*("sweep", "--vary", "alpha=0:1:0.05", "--include", "Opportuniste:3", "--duration", 30, "--games", 300)]
    words += ["--seed", 5, "--workers", 1, "--chunk-size", 300, "--measure", "welfare", "--json", "-o"]
    words = [str(word) for word in words]
    begun = subprocess.Popen([OSTROM, *words, tmp_path / "made"], stdout=subprocess.DEVNULL)
    while begun.poll() is None and not list(tmp_path.glob("made/games/part-*.parquet")):
        time.sleep(0.01)
    begun.send_signal(signal.SIGKILL)
    begun.wait()
    before = {part.name: part.stat().st_mtime_ns for part in tmp_path.glob("made/games/part-*.parquet")}
    assert before
    words.remove("--seed")
    words.remove("5")  # the folder knows it
    resumed = json.loads(answer(*words, tmp_path / "made"))
    whole = document(*words[1:-2], "--seed", 5, "-o", tmp_path / "whole")
    assert {one: other for one, other in resumed.items() if one != "seconds"} == {
        one: other for one, other in whole.items() if one != "seconds"
    }
    for name, written in before.items():
        assert (tmp_path / "made" / "games" / name).stat().st_mtime_ns == written
    assert len(pl.read_parquet(tmp_path / "made" / "games" / "*.parquet")) == 21 * 300


def test_a_folder_of_another_sweep_is_left_alone(tmp_path):
    answer("sweep", "--vary", "alpha=0,1", *SHORT, "-o", tmp_path)
    done = ostrom("sweep", "--vary", "alpha=0,0.5", *SHORT, "-o", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "contains a different sweep, with a different vary" in done.stderr


def test_an_opened_point_is_a_record_and_a_game_of_a_journal(tmp_path):
    words = ["sweep", "--vary", "alpha=0,1", *SHORT, "--open", 1, "-o", tmp_path / "game.json"]
    said = answer(*words, "--store", tmp_path / "lab.db")
    assert "simulation-1" in said
    assert "agrees with the rules" in " ".join(answer("run", "--replay", tmp_path / "game.json").split())
    assert "simulation-1.1" in answer("list", "journal", "--store", tmp_path / "lab.db")
    (row,) = json.loads(answer("list", "experiments", "--store", tmp_path / "lab.db", "--json"))["experiments"]
    assert (row["kind"], row["state"]) == ("simulation", "finished")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--vary alfa=0:1:0.5", "did you mean alpha?"),
        ("--vary alpha=0:1:0", "a step must be above 0"),
        ("--vary alpha=1:0:0.1", "is empty"),
        ("--vary alpha=0:2:0.5", "alpha must be at most 1, got"),
        ("--vary alpha=0:1:0.001 --vary synergy=1.2:3:0.001", "too many"),
        ("--vary alpha=0,1 --alpha 0.5", "leave out --alpha"),
        ("--vary alpha=0,1 --boundary contributed=0.5", "is not a boundary"),
        ("--vary alpha=0,1 --boundary contribution=high", "neither a number nor a measure"),
        ("--vary voting=yes,no --boundary contribution=0.5", "at least two numeric values"),
        ("--vary alpha=0:1 --design lhs --boundary contribution=0.5", "factorial"),
        ("--vary alpha=0,1 --open 2", "points 0 to 1"),
        ("--vary alpha=0,1 --open 0 --number 200", "games 0 to 199"),
        ("--vary alpha=0,1 --design grid", "grid"),
        ("", "nothing is varied"),
        ("audit --vary alpha=0,1", "audit"),
    ],
)
def test_bad_input_is_one_line(words, said):
    done = ostrom("sweep", *words.split(), "--seed", 1)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert said in line


def test_a_player_in_plain_python_is_said_to_be_slower(tmp_path):
    (tmp_path / "gentle.py").write_text(GENTLE)
    done = ostrom(
        *("sweep", "--vary", "alpha=0,1", "--players", tmp_path / "gentle.py", "--include", "Gentle", "--include"),
        *("Pavlov", "--duration", 5, "--games", 2, "--seed", 1),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["Gentle: played in plain Python, one game at a time, which slows the sweep."]


def test_the_line_of_a_point_names_the_file_of_its_players(tmp_path):
    file = tmp_path / "gentle.py"
    file.write_text(GENTLE)
    words = ["sweep", "--players", file, "--include", "Gentle:2", "--vary", "alpha=0,1", "--games", 2, "--turns", 3]
    found = json.loads(ostrom(*words, "--json").stdout)
    assert all(f"--players {file}" in point["command"] for point in found["points"])
    for line in (found["points"][1]["command"], ostrom(*words, "--open", 1, "--number", 1).stdout.splitlines()[-1]):
        assert "Gentle" in ostrom(*_words(line)).stdout


def test_a_game_of_no_point_is_refused():
    done = ostrom("sweep", "--vary", "alpha=0,1", "--number", 3)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--number needs --open" in done.stderr
