"""A batch of games gives what the same games give one by one, to the last bit."""

import numpy as np
import pytest
from ostrom_offers import OFFERS, OffersRules
from ostrom_offers.strategies import STRATEGIES

from ostrom.core import GameChance
from ostrom.core.step import stacked
from ostrom.experiment.match import play_match
from ostrom.players.strategy import entry_of
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

CAST = [entry_of(one) for one in STRATEGIES]


@pytest.mark.parametrize(
    "rules",
    [OffersRules(), OffersRules(rounds=3, pie=7.5), OffersRules(least_patience=0.8, most_patience=0.8)],
    ids=["usual", "short", "known patience"],
)
def test_batch_equals_single_games(rules: OffersRules) -> None:
    seating = np.random.default_rng(1).integers(0, len(CAST), (2, 60))
    batch = play_batch(Batch(OFFERS, rules, CAST, seating, np.arange(60, dtype=np.int64), 7))
    for game in range(60):
        match = play_match(OFFERS, rules, [CAST[who] for who in seating[:, game]], GameChance(7, game))
        assert batch.finals[:, game].tolist() == OFFERS.finals(match.events)
        assert batch.turns[game] == match.events[-1].round


def test_a_grid_of_rules_is_played_alike_on_jax() -> None:
    pytest.importorskip("jax")
    from ostrom.sim import jax_engine

    points = [OffersRules(), OffersRules(rounds=5, pie=20, least_patience=0.1, most_patience=0.7)]
    seating = np.tile(np.random.default_rng(1).integers(0, len(CAST), (2, 24)), 2)
    batch = Batch(OFFERS, stacked(points, np.repeat(np.arange(2), 24)), CAST, seating, np.tile(np.arange(24), 2), 7)
    ours, theirs = play_batch(batch), jax_engine.play_batch(batch)
    np.testing.assert_allclose(theirs.finals, ours.finals, rtol=1e-9, atol=1e-12)
    assert np.array_equal(theirs.turns, ours.turns)
