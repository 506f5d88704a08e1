"""The study of comparisons in a thin form; benchmarks/coverage.py runs it whole."""

import pytest

from coverage_parts import part
from foreign_data import foreign


# Each world compares every player and every round of all real games. Two of five are as telling as three of twelve.
@pytest.mark.parametrize("worlds", [5, pytest.param(12, marks=pytest.mark.long)])
def test_halves_of_the_real_games_seldom_show_a_difference(worlds):
    foreign("pgg_bench")
    study = part("compare")
    rows = list(study.halves(worlds))
    assert {row.worlds for row in rows} == {worlds}
    assert len(rows) == len(study.FAMILIES)
    assert [row.setting for row in rows if row.low > 0.05] == []


def test_intervals_of_pairs_hold_the_difference():
    foreign("pgg_bench")
    held = [row for row in part("compare").pairs(40, 100) if row.width is not None]
    assert len(held) == 2
    assert [row.what for row in held if row.high < 0.93] == []
