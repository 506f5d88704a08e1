"""The batch engine plays Contribute & Punish exactly as a single game does."""

import numpy as np
import pytest

from ostrom.arena import play_match
from ostrom.games import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish import ContributePunishRules
from ostrom.players.punishers import PUNISHERS
from ostrom.players.punishers.player import PunisherContestant
from ostrom.sim.punish_engine import PunishBatch, play_punish_batch
from ostrom.table import GameChance

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
