"""The study of tournaments in a thin form; benchmarks/coverage.py runs it whole."""

import pytest

from coverage_parts import part


def test_intervals_over_tables_hold_what_many_games_show():
    rows = list(part("tournament").over_tables(3, 5, 40))
    assert len(rows) == 6
    assert [row.what for row in rows if row.high < 0.93] == []


@pytest.mark.parametrize(("opponents", "seats"), [(15, 2), (8, 3)])
def test_intervals_over_opponents_hold_the_population(opponents, seats):
    rows = list(part("tournament").over_opponents(opponents, seats, 150))
    assert [row.what for row in rows if row.high < 0.95] == []
