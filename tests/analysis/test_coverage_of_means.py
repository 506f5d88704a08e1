"""Coverage of intervals where the truth is known, with few simulations; benchmarks/coverage.py runs more."""

import json
from pathlib import Path

import numpy as np
import pytest

from coverage_parts import part
from foreign_data import foreign
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

means = part("means")
WORLDS = 60


@pytest.mark.parametrize("kind", means.SIMULATED)
def test_intervals_of_simulated_players_hold(kind):
    (line,) = means.of_simulated(kind, 60, WORLDS)
    assert line.worlds == WORLDS
    assert line.low <= 0.95 <= line.high
    assert line.rate >= 0.91
    assert line.width < 2.2


@pytest.fixture(scope="module")
def finals():
    """The final of every player in every real game, and 1 where it held a seat."""
    games = []
    for path in sorted(foreign("pgg_bench").glob("game_*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        games.append(next(event for line in reversed(lines) if (event := json.loads(line))["type"] == "final"))
    names = sorted({name for game in games for name in game["final_tokens"]})
    tokens = np.array([[game["final_tokens"].get(name, np.nan) for name in names] for game in games], dtype=np.float64)
    return np.nan_to_num(tokens), np.isfinite(tokens).astype(np.float64)


@pytest.mark.parametrize("games", [100, 580])
def test_intervals_of_mean_final_tokens_hold_in_samples_of_real_games(finals, games):
    result = means.Population([finals], np.zeros(finals[0].shape[1], dtype=np.int64), (-np.inf, np.inf), tailed=True)
    chance = np.random.default_rng(games)
    seen = [means.interval_in(result, chance.integers(0, len(finals[0]), games)) for _ in range(WORLDS)]
    line = means.line("mean_final", "", means.value_of([finals]), seen)
    # Percentiles of the player's own games held in 75 % at 100 games, and in 91 % at 580.
    assert line.rate >= 0.92
    assert "refused" not in line.note or games == 100


def test_few_real_games_are_refused(finals):
    result = means.Population([finals], np.zeros(finals[0].shape[1], dtype=np.int64), (-np.inf, np.inf), tailed=True)
    seen = means.interval_in(result, np.arange(40))
    assert np.isnan(seen.low).all()
    assert np.isfinite(seen.value).any()


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
