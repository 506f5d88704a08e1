"""Over an experiment everybody meets everybody and sits everywhere, as evenly as the number of games allows."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.experiment.described import read_experiment
from ostrom.experiment.plan import experiment_of
from ostrom.experiment.schedule import balanced_tables, check_table


def counts(entrants, seats, games, seed=1):
    placed = np.zeros((entrants, seats), dtype=int)
    met = np.zeros((entrants, entrants), dtype=int)
    for table in balanced_tables(entrants, seats, games, seed):
        assert len(set(table)) == seats
        for seat, entrant in enumerate(table):
            placed[entrant, seat] += 1
            met[entrant, [other for other in table if other != entrant]] += 1
    return placed, met[~np.eye(entrants, dtype=bool)]


@pytest.mark.parametrize(
    ("entrants", "seats", "games"), [(9, 5, 40), (9, 5, 90), (12, 5, 100), (5, 5, 20), (22, 5, 300)]
)
def test_appearances_meetings_and_seats_are_even(entrants, seats, games):
    placed, met = counts(entrants, seats, games)
    appearances = placed.sum(axis=1)
    assert appearances.max() - appearances.min() <= 1
    assert met.min() > 0
    assert met.max() - met.min() <= 4
    assert placed.max() - placed.min() <= 2


def test_where_it_works_out_it_is_exact():
    placed, _ = counts(9, 5, 90)
    assert (placed == 10).all()


def test_a_seed_gives_the_same_schedule_and_another_one_another():
    assert list(balanced_tables(9, 5, 30, 1)) == list(balanced_tables(9, 5, 30, 1))
    assert list(balanced_tables(9, 5, 30, 1)) != list(balanced_tables(9, 5, 30, 2))


def test_too_few_players_are_told_what_to_do():
    with pytest.raises(InputError, match="NAME:n"):
        list(balanced_tables(4, 5, 1, 1))


@pytest.mark.parametrize(("entrants", "told"), [(1, "and 1 is chosen"), (3, "and 3 are chosen")])
def test_a_table_that_cannot_be_filled_is_refused(entrants, told):
    with pytest.raises(InputError, match=f"a table of 5 needs at least 5 players, {told}"):
        check_table(entrants, 5)


FILE = """
repetitions = 3
seeds = [1, 2, 3, 4]
include = ["Cooperator", "FreeRider", "Retaliator", "LeaderPunisher", "RandomGiver"]
[[games]]
game = "punish"
seats = 3
[[games]]
game = "commons"
seats = 3
include = ["TitForTat", "Pavlov", "Gradual", "Detective", "RandomPlayer"]
"""


def planned(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(FILE)
    return read_experiment(path, 1)


def uneven(fixtures, game):
    """By how much appearances and seats of a game's players differ."""
    sat, placed = Counter(), Counter()
    for fixture in fixtures:
        if fixture.game.command == game:
            names = [contestant.name for contestant in fixture.contestants]
            sat.update(names)
            placed.update(enumerate(names))
    seats = [placed[seat, name] for seat in range(3) for name in sat]
    return max(sat.values()) - min(sat.values()), max(seats) - min(seats)


def test_seats_are_even_over_all_seeds_and_parts(tmp_path):
    now = planned(tmp_path)
    for game in ("punish", "commons"):
        appearances, seats = uneven(now.fixtures(), game)
        assert appearances <= 1
        assert seats <= 1
        # Version 1 begins anew in every part, so what each leaves over adds up.
        assert sum(uneven(replace(now, schedule=1).fixtures(), game)) > appearances + seats


def test_the_version_of_the_schedule_is_kept_and_older_experiments_have_the_first(tmp_path):
    now = planned(tmp_path)
    settings = now.settings
    assert settings["schedule"] == 3
    tables = [[one.name for one in fixture.contestants] for fixture in now.fixtures()]
    again = [[one.name for one in fixture.contestants] for fixture in experiment_of("x", settings).fixtures()]
    del settings["schedule"]
    older = experiment_of("x", settings)
    first = [[one.name for one in fixture.contestants] for fixture in older.fixtures()]
    assert (tables == again, older.schedule, tables == first, tables[:3] == first[:3]) == (True, 1, False, True)
