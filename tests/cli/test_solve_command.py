"""`ostrom solve`: what it prints, and what it refuses in one line."""

import json

import pytest
from commandline import answer, document, ostrom

from ostrom.core.plugins import GAMES

BATTLE = {"rows": ["opera", "match"], "columns": ["opera", "match"], "payoffs": [[[10, 7], [0, 0]], [[0, 0], [7, 10]]]}


@pytest.fixture
def battle(tmp_path):
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(BATTLE))
    return file


def test_a_game_of_two_sides(battle, tmp_path):
    found = document("solve", "--matrix", battle, "--seed", 1)["solution"]
    assert [one["pure"] for one in found["equilibria"]] == [True, True, False]
    assert found["equilibria"][2]["row"]["opera"] == pytest.approx(10 / 17)
    picture = tmp_path / "battle.svg"
    assert "58.8 % opera" in answer("solve", "--matrix", battle, "--seed", 1, "-o", picture)
    assert "3 equilibria" in picture.read_text()


def test_strategies_of_a_game_are_the_moves():
    options = ["--players", "AlwaysCoop", "--players", "Parasite", "--games", 4, "--seed", 1, "--resamples", 5]
    found = document("solve", "commons", *options)["solution"]
    assert found["rows"] == ["AlwaysCoop", "Parasite"]
    assert all(one["found_in_resamples"] is not None for one in found["equilibria"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("solve --matrix {file}.gone", "cannot be read: No such file"),
        ("solve commons --matrix {file}", "leave out commons"),
        ("solve --matrix {file} --from x", "leave one out"),
        ("solve --matrix {file} -o x.gif", "use .svg or .png"),
        ("solve --players Pavlof", "did you mean Pavlov?"),
        (
            "solve punish --exclude RandomGiver",
            "at most 4 players; name them by --players, or leave some out by --exclude",
        ),
        ("solve --players Pavlov --group-size 1", "at least 2 seats"),
    ],
)
def test_what_cannot_be_is_refused(arguments, said, battle):
    done = ostrom(*arguments.format(file=battle).split())
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr


def test_a_malformed_game_of_two_sides_is_refused(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(BATTLE | {"payoffs": [[1, 2], [3, 4]]}))
    done = ostrom("solve", "--matrix", file)
    assert done.returncode == 2
    assert "a pair of numbers" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(game.command for game in GAMES.values() if not game.instrument))
def test_every_game_is_solved_or_says_which_options_make_it_small_enough(game):
    done = ostrom("solve", game, "--games", 5, "--resamples", 2, "--seed", 1)
    if done.returncode == 2:
        assert "--players" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "equilibria" in done.stdout
