"""`ostrom power` from the command line."""

import json

import pytest
from commandline import answer, ostrom


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('pilot') / 'pilot.db'}"
    answer("bench", "punish", "--games", "30", "--rounds", "2", "--seed", "1", "--store", url)
    return url


def test_the_command_gives_games_chance_and_dollars(store):
    asked = ("power", "--difference", "8", "--between", "FreeRider", "Cooperator", "--repetitions", "100")
    found = json.loads(answer(*asked, "--store", store, "--json"))["power"]
    assert found["games"]["low"] < found["games"]["value"] < found["games"]["high"]
    assert found["chance"]["low"] < 0.85
    assert found["pilot_games"] == [30]
    assert found["dollars"]["reason"] == "no model was asked in the pilot"
    assert "games" in answer(*asked, "--store", store)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--difference", "1"), "--difference needs two players"),
        ((), "say what is to be found"),
        (("--width", "1", "--between", "A", "B"), "--between and --compare need --difference"),
        (("--width", "0"), "a difference of 0 cannot be told"),
        (("--width", "inf"), "--width must be a finite number"),
        (("--width", "nan"), "--width must be a finite number"),
        (("--width", "1", "--power", "0.2"), "--power must be between 0.5 and 0.99"),
        (("--width", "1", "--player", "Nobody"), "there is no Nobody here"),
        (("--difference", "0.0001", "--between", "FreeRider", "Cooperator"), "that takes more than 100,000 games"),
    ],
)
def test_what_cannot_be_planned_is_told_in_one_line(store, options, told):
    result = ostrom("power", *options, "--store", store)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("ostrom: ")
    assert told in result.stderr
