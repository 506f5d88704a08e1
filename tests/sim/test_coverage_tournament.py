"""The study of tournaments in a thin form; benchmarks/coverage.py runs it whole."""

import pytest

from coverage_parts import part

pytestmark = pytest.mark.slow


def test_intervals_over_tables_hold_what_many_games_show():
    rows = list(part("tournament").over_tables(3, 5, 40))
    assert len(rows) == 6
    assert [row.what for row in rows if row.high < 0.93] == []


@pytest.mark.parametrize(("opponents", "seats", "tails"), [(15, 2, "light"), (15, 2, "heavy"), (8, 3, "light")])
def test_intervals_over_opponents_hold_the_population_or_are_refused(opponents, seats, tails):
    win_rate, mean = part("tournament").over_opponents(opponents, seats, tails, 100)
    assert win_rate.high >= 0.95
    assert mean.high >= 0.95 if tails == "light" else "refused" in mean.note
