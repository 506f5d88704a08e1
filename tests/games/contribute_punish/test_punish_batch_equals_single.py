"""The batch engine plays Contribute & Punish exactly as a single game does."""

import numpy as np
import pytest

from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.games.contribute_punish.players.player import PunisherContestant
from ostrom.sim.punish_engine import PunishBatch, play_punish_batch

CAST = list(PUNISHERS.values())


@pytest.mark.parametrize("seats", [3, 5, 8])
@pytest.mark.parametrize(
    "rules",
    [{}, {"anonymous": True}, {"punishment": False}, {"max_absolute": 7, "ratio": 2, "multiplier": 1.25, "start": 50}],
    ids=str,
)
def test_every_round_of_every_game_agrees(seats, rules):
    games, made = 25, ContributePunishRules(messages=False, **rules)
    seating = np.random.default_rng(seats).integers(0, len(CAST), (seats, games))
    result = play_punish_batch(PunishBatch(made, CAST, seating, np.arange(100, 100 + games), seed=8))
    for game in range(games):
        contestants = [PunisherContestant(CAST[member]) for member in seating[:, game]]
        match = play_match(CONTRIBUTE_PUNISH, made, contestants, GameChance(8, 100 + game))
        single = CONTRIBUTE_PUNISH.series(match.events)
        for name in ("contributions", "spend", "damage", "balances"):
            assert getattr(result, name)[:, :, game].tolist() == single[name], (game, name)
