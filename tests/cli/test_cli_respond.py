"""`ostrom respond`: the response to a table, what it gains, a file of it, and what is wrong in one line."""

import json

import pytest
from commandline import answer, document, ostrom

SHORT = ("--duration", 4, "--games", 4, "--training", 4, "--generations", 1, "--seed", 3)


def test_a_response_in_the_commons_is_a_file_that_can_be_seated(tmp_path):
    file = tmp_path / "response.json"
    found = document("respond", "--against", "Pavlov", "--against", "Parasite:2", *SHORT, "-o", file)["response"]
    assert found["against"] == ["Pavlov", "Parasite", "Parasite"]
    assert (found["seat"], found["method"], found["games"]) == (3, "search", 4)
    assert len(found["players"]) == 16
    assert found["player"] == f"policy:{file}"
    assert json.loads(file.read_text())["rule"] == found["policy"]
    played = document("run", "--include", "Pavlov", "--include", found["player"], "--seed", 3, "--duration", 4)
    assert {one["name"] for one in played["standings"]} == {"Pavlov", found["player"]}


def test_an_exact_response_says_so(tmp_path):
    file = tmp_path / "response.json"
    rules = ("--rule", "continue=0.9", "--seed", 1, "--games", 20)
    found = document("respond", "repeated", "--against", "TitForTat", *rules, "-o", file)["response"]
    assert found["exact"]["best_openings"] == ["C"]
    assert found["exact"]["per_turn"] == pytest.approx(3)
    assert found["player"] == f"automaton:{file}"
    table = answer("respond", "repeated", "--against", "TitForTat", *rules)
    assert "The exact solution has the value 3 per turn and begins with C." in table


def test_exploitability_of_a_table():
    rules = ("--rounds", 1, "--no-punishment", "--games", 4, "--training", 4, "--generations", 0, "--seed", 1)
    arguments = ("respond", "punish", "--against", "Cooperator:4", *rules, "--exploitability")
    found = document(*arguments)["exploitability"]
    assert found["total_per_turn"] == pytest.approx(48)
    text = " ".join(answer(*arguments).split())
    assert "48.000 per turn" in text
    assert "a lower bound" in text
    assert "0 would be an equilibrium" not in text
    # Against players with finitely many states, the best response is exact.
    exact = answer("respond", "repeated", "--against", "AllD:2", "--exploitability", "--games", 4, "--seed", 1)
    assert "0 would be an equilibrium of these strategies" in " ".join(exact.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the players to respond to"),
        (["--against", "Nobody"], "Nobody"),
        (["--against", "Pavlov", "--seat", 7], "there is no seat 7"),
        (["--against", "Pavlov", "-o", "response.txt"], ".json"),
        (["--against", "Pavlov", "--chart", "gains.pdf"], "a .png or a .svg"),
        (["--against", "Pavlov", "--method", "exact"], "finitely many states"),
        (["--against", "Pavlov:4", "--exploitability", "--seat", 1], "--exploitability and --seat exclude each other"),
        (["stated-trust", "--against", "fehr-schmidt"], "no array form"),
        (["--against", "policy:nowhere.json"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_one_line(arguments, said):
    done = ostrom("respond", *arguments, "--seed", 1)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
