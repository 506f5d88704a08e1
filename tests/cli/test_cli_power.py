"""`ostrom power` from the command line."""

import json

import pytest
from commandline import answer, ostrom


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('pilot') / 'pilot.db'}"
    answer("bench", "punish", "--games", "30", "--rounds", "2", "--seed", "1", "--store", url)
    return url


@pytest.mark.slow
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
        ((), "nothing to plan for"),
        (("--width", "1", "--between", "A", "B"), "--between needs --difference, and not --width"),
        (("--width", "0"), "--width must be more than 0, got 0"),
        (("--width", "inf"), "--width must be a finite number"),
        (("--width", "nan"), "--width must be a finite number"),
        (("--width", "1", "--power", "0.2"), "--power must be at least 0.5, got 0.2"),
        (("--difference", "0", "--between", "A", "B"), "--difference must not be 0"),
        (("--difference", "1", "--width", "1"), "--difference and --width exclude each other"),
        (("--difference", "1", "--between", "A", "A"), "--between needs two players; A is named twice"),
        (("--width", "1", "--player", "Nobody"), "there is no player Nobody in the pilot"),
        (("--difference", "0.0001", "--between", "FreeRider", "Cooperator"), "this plan needs more than 100,000 games"),
    ],
)
def test_invalid_settings_are_refused_in_one_line(store, options, told):
    result = ostrom("power", *options, "--store", store)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("ostrom: ")
    assert told in result.stderr
