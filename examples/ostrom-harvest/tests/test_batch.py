"""A batch of games gives what the same games give one by one, to the last bit."""

import numpy as np
import pytest
from ostrom_harvest import HARVEST, HarvestRules
from ostrom_harvest.strategies import STRATEGIES

from ostrom.core import GameChance
from ostrom.core.step import stacked
from ostrom.experiment.match import play_match
from ostrom.players.strategy import entry_of
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch


@pytest.mark.parametrize(
    "rules",
    [
        HarvestRules(),
        HarvestRules(quota="majority", monitoring=0.5),
        HarvestRules(quota="none"),
        HarvestRules(regrowth=1.5, sanctions=False),
    ],
    ids=["usual", "half watched", "no quota", "fast growth"],
)
def test_batch_equals_single_games(rules: HarvestRules) -> None:
    cast = [entry_of(one) for one in STRATEGIES]
    seating = np.random.default_rng(1).integers(0, len(cast), (4, 30))
    games = np.arange(30, dtype=np.int64)
    batch = play_batch(Batch(game=HARVEST, rules=rules, cast=cast, seating=seating, games=games, seed=7))
    for game in range(30):
        match = play_match(HARVEST, rules, [cast[who] for who in seating[:, game]], GameChance(7, game))
        assert batch.finals[:, game].tolist() == HARVEST.finals(match.events)
        assert batch.turns[game] == match.events[-1].round


def test_a_grid_of_rules_is_played_alike_on_jax() -> None:
    pytest.importorskip("jax")
    from ostrom.sim import jax_engine

    cast = [entry_of(one) for one in STRATEGIES]
    points = [
        HarvestRules(),
        HarvestRules(rounds=8, capacity=90, stock=60, regrowth=0.3, collapse=5, fine=3.0, monitoring=0.4),
    ]
    seating = np.tile(np.random.default_rng(1).integers(0, len(cast), (4, 12)), 2)
    rules = stacked(points, np.repeat(np.arange(2), 12))
    batch = Batch(HARVEST, rules, cast, seating, np.tile(np.arange(12), 2), 7)
    ours, theirs = play_batch(batch), jax_engine.play_batch(batch)
    np.testing.assert_allclose(theirs.finals, ours.finals, rtol=1e-9, atol=1e-12)
    assert np.array_equal(theirs.turns, ours.turns)
