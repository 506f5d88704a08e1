"""The batch engine plays Contribute & Punish exactly as a single game does."""

from dataclasses import replace

import numpy as np
import pytest

import ostrom
from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.events import history_of
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.games.contribute_punish.step import PunishStep
from ostrom.players.strategy import Strategy, entry_of
from ostrom.sim import jax_engine
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

CAST = list(PUNISHERS.values())
VARIANTS = pytest.mark.parametrize(
    "rules",
    [{}, {"anonymous": True}, {"punishment": False}, {"max_absolute": 7, "ratio": 2, "multiplier": 1.25, "start": 50}],
    ids=str,
)


class Recording(PunishStep):
    """Keeps every state that the engine comes through."""

    def __init__(self):
        self.states = []

    def step(self, rules, phase, turn, state, moves, draws):
        after = super().step(rules, phase, turn, state, moves, draws)
        if phase == self.phases(rules)[-1]:
            self.states.append(after)
        return after


RECORDING = Recording()


def random_tables(seats, games, members):
    return np.random.default_rng(seats).integers(0, members, (seats, games))


@pytest.mark.parametrize("seats", [3, 5, pytest.param(8, marks=pytest.mark.slow)])
@VARIANTS
def test_every_round_of_every_game_agrees(seats, rules):
    games, made = 12, ContributePunishRules(messages=False, **rules)
    seating = random_tables(seats, games, len(CAST))
    RECORDING.states.clear()
    recorded = replace(CONTRIBUTE_PUNISH, step=f"{__name__}:RECORDING")
    result = play_batch(Batch(recorded, made, CAST, seating, np.arange(100, 100 + games), seed=8))
    for game in range(games):
        players = [CAST[member] for member in seating[:, game]]
        match = play_match(CONTRIBUTE_PUNISH, made, players, GameChance(8, 100 + game))
        rounds = history_of(match.events).rounds
        single = {
            name: [getattr(one, name) for one in rounds] for name in ("contributions", "spend", "balances", "damage")
        }
        for name in ("contributions", "spend", "balances"):
            assert [getattr(state, name)[:, game].tolist() for state in RECORDING.states] == single[name], (game, name)
        for state, damage in zip(RECORDING.states, single["damage"], strict=True):
            lost = np.zeros(seats + 1, dtype=int)
            np.add.at(lost, state.target[:, game], state.damage[:, game])  # nobody is the last place
            assert lost[:-1].tolist() == damage
        assert result.finals[:, game].tolist() == list(CONTRIBUTE_PUNISH.finals(match.events))
        assert result.turns[game] == made.rounds
        assert result.figures["contribution"][:, game] == pytest.approx(np.mean(single["contributions"], axis=0))


# To compile all players takes half a minute, most of it for the draws of one of them; the Commons has such a one too.
@pytest.mark.slow
@pytest.mark.parametrize("cast", [CAST[2:7:2], pytest.param(CAST, marks=pytest.mark.long)], ids=["three", "all"])
def test_jax_plays_the_same_games(cast):
    made, seating = ContributePunishRules(rounds=4), random_tables(4, 40, len(cast))
    batch = Batch(CONTRIBUTE_PUNISH, made, cast, seating, np.arange(40), seed=3)
    assert np.array_equal(jax_engine.play_batch(batch).finals, play_batch(batch).finals)


class Miser(Strategy):
    """Gives a random part and punishes the first other one that gave more, in plain Python."""

    def __init__(self):
        self.rounds = 0

    def answer(self, question, draw):
        view = question.view
        if question.phase == "message":
            return f"round {view.round}"
        if question.phase == "contribution":
            self.rounds += 1
            assert self.rounds == view.round
            return int(draw() * (view.balance + 1))
        richer = [seat for seat in view.others if view.contributions[seat] > view.contributions[view.seat]]
        return {"target": richer[0], "spend": 1} if richer else {"target": None, "spend": 0}


@pytest.mark.parametrize("messages", [False, True])
def test_a_strategy_in_plain_python_plays_in_the_batch_as_in_a_single_game(messages):
    made, cast = ContributePunishRules(messages=messages, rounds=6), [*CAST, entry_of(Miser)]
    seating = random_tables(4, 30, len(cast))
    result = play_batch(Batch(CONTRIBUTE_PUNISH, made, cast, seating, np.arange(30), seed=5))
    for game in range(30):
        match = play_match(CONTRIBUTE_PUNISH, made, [cast[member] for member in seating[:, game]], GameChance(5, game))
        assert result.finals[:, game].tolist() == list(CONTRIBUTE_PUNISH.finals(match.events))


def test_a_tournament_of_punish_tells_its_finals_in_tokens():
    how = {"games": 4, "seed": 2, "game": "punish", "group_size": 3}
    found = ostrom.tournament(["Cooperator", "FreeRider", "Retaliator", "RandomGiver"], **how).as_record()
    assert found["game"] == "contribute_punish"
    assert {"win_rate", "mean_tokens", "median_tokens", "mean_contribution", "mean_spend"} <= set(found["standings"][0])
    again = ostrom.tournament(["Cooperator", "FreeRider", "Retaliator", "RandomGiver"], chunk_size=1, **how).as_record()
    assert found["standings"] == again["standings"]
