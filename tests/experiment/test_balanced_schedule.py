"""Over an experiment everybody meets everybody and sits everywhere, as evenly as the number of games allows."""

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.experiment.plan import balanced_tables, check_table


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
