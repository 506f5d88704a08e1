"""A batch of games gives what the same games give one by one, to the last bit."""

import numpy as np
import pytest
from ostrom_harvest import HARVEST, HarvestRules
from ostrom_harvest.strategies import STRATEGIES

from ostrom.core import GameChance
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
