"""The study of comparisons in a thin form; benchmarks/coverage.py runs it whole."""

from pathlib import Path

import pytest

from coverage_parts import part
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(imported_games):
    """The study over the games that were imported for all tests, in place of its own replay of every log."""
    with Journal.open(imported_games) as journal:
        read = [(Path(record.source).stem, "real", record) for _, _, record in journal.records()]
    tables = tables_of(sorted(read, key=lambda game: game[0]))
    module = part("compare")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "real_games", lambda: tables)
        yield module


# Each world compares every player and every round of all real games; two of five are as telling as three of twelve.
@pytest.mark.parametrize("worlds", [5, pytest.param(12, marks=pytest.mark.long)])
def test_halves_of_the_real_games_seldom_show_a_difference(study, worlds):
    rows = list(study.halves(worlds))
    assert {row.worlds for row in rows} == {worlds}
    assert len(rows) == len(study.FAMILIES)
    assert [row.setting for row in rows if row.low > 0.05] == []


def test_intervals_of_pairs_hold_the_difference(study):
    held = [row for row in study.pairs(40, 100) if row.width is not None]
    assert len(held) == 2
    assert [row.what for row in held if row.high < 0.93] == []
