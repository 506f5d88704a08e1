"""Matrices by name, by number and from files; the 144 ordinal games against the file of their players."""

import csv
import json

import pytest
from pydantic import ValidationError

from foreign_data import foreign
from ostrom.core import InputError
from ostrom.experiment import make_rules
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.matrices import family, ordinal, pure_equilibria

FAMILIES = {
    **{"Win-win": "win-win", "Biased": "biased", "Unfair": "unfair", "Second Best": "second best"},
    **{"Tragic": "tragic", "PD Family": "prisoner's dilemma", "Cyclic": "cyclic"},
}
CELLS = ("r1_c1", "r1_c2", "r2_c1", "r2_c2")
WITH_TIES = {17, 18, 19, 20, 21, 22, 23, 24, 58, 59, 60, 83, 84, 95, 96}
"""Games that the published file tells with a payoff twice, which no ordinal game has."""


def test_all_144_games_are_different_and_ordinal():
    games = [ordinal(number) for number in range(1, 145)]
    assert len({game.payoffs for game in games}) == 144
    for game in games:
        assert all(sorted(points.ravel()) == [1, 2, 3, 4] for points in game.points)


def test_the_games_and_families_are_the_published_ones():
    with (foreign("repeatedgames") / "144_games_info.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    different = set()
    for row in rows:
        number = int(row["game_number"])
        told = [(float(row[f"{cell}_p1"]), float(row[f"{cell}_p2"])) for cell in CELLS]
        if told != [cell for cells in ordinal(number).payoffs for cell in cells]:
            different.add(number)
        assert family(ordinal(number)) == FAMILIES[row["game_family"]], number
    assert different == WITH_TIES


def test_the_prisoners_dilemma_is_among_them():
    game = ordinal(67)
    assert game.payoffs == (((3, 3), (1, 4)), ((4, 1), (2, 2)))
    assert family(game) == "prisoner's dilemma"
    assert pure_equilibria(game) == [(1, 1)]


def test_a_file_is_read_once_and_kept_with_the_rules(tmp_path):
    path = tmp_path / "rps.json"
    content = {"rows": ["rock", "paper", "scissors"], "payoffs": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]}
    path.write_text(json.dumps(content))
    rules = make_rules(REPEATED, {"matrix": str(path), "rounds": 2})
    path.unlink()
    assert rules.game.columns == ("rock", "paper", "scissors")
    assert rules.game.payoffs[0][1] == (-1, 1)
    assert Rules.model_validate_json(rules.model_dump_json()) == rules


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"matrix": "prisoner-dilemma"}, "did you mean prisoners-dilemma?"),
        ({"matrix": "rg:145"}, "from 1 to 144"),
        ({"matrix": "rg:x"}, "rg: and a number"),
        ({"matrix": "nowhere.json"}, "cannot be read"),
        ({"matrix": '{"rows":["a","b"],"payoffs":[[1,2]]}'}, "2 rows with 2 entries"),
        ({"matrix": '{"rows":["a","a"],"payoffs":[[1,2],[3,4]]}'}, "with different names"),
        ({"rounds": 3, "continue": 0.5}, "rounds or continue, not both"),
        ({"continue": 1.0}, "at most 0.9999"),
        ({"noise": 1.1}, "at most 1"),
    ],
)
def test_bad_rules_are_one_line(settings, said):
    with pytest.raises(InputError, match="invalid rules") as caught:
        make_rules(REPEATED, settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rounds_are_ten_where_nothing_is_said():
    assert (Rules().rounds, Rules().continuation) == (10, None)
    assert Rules(**{"continue": 0.9}).rounds is None
    with pytest.raises(ValidationError):
        Rules(unknown=1)
