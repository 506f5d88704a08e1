"""Strategies as states, and what pairs of them come to without being played."""

import json
from itertools import product

import numpy as np
import pytest

from ostrom.core import GameChance, InputError
from ostrom.experiment import play_match
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.automata import read_automaton
from ostrom.games.repeated.machines import mean_points, outcome_shares, reactive_machine, round_robin
from ostrom.games.repeated.matrices import NAMED, matrix_of
from ostrom.games.repeated.players import STRATEGIES, memory_one
from ostrom.games.repeated.theory import exact_fingerprint
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

DILEMMA = NAMED["prisoners-dilemma"]
CAST = [entry for entry in STRATEGIES.values() if entry.member is None]
QUIET = ("AllC", "AllD", "TitForTat", "TitForTwoTats", "Grim", "WinStayLoseShift")
MACHINES = {entry.name: entry.rows.machine(DILEMMA) for entry in CAST}


def finals(one, other, rules):
    return REPEATED.finals(play_match(REPEATED, rules, [one, other], GameChance(1)).events)


def test_a_round_robin_has_the_points_of_the_games():
    table = round_robin([MACHINES[name] for name in QUIET], DILEMMA, 12)
    rules = Rules(rounds=12)
    for (row, one), (column, other) in product(enumerate(QUIET), repeat=2):
        assert [table[row, column], table[column, row]] == finals(STRATEGIES[one], STRATEGIES[other], rules)


@pytest.mark.parametrize(
    "settings", [{"rounds": 8}, {"rounds": 8, "noise": 0.1}, {"continue": 0.8, "noise": 0.1}], ids=str
)
def test_every_strategy_as_states_gets_what_it_gets_in_play(settings):
    """Each against each, within four standard errors: of 121 comparisons some go beyond three."""
    games, pairs = 300, list(product(range(len(CAST)), repeat=2))
    seating = np.repeat(np.asarray(pairs).T, games, axis=1)
    rules = Rules(**settings)
    played = play_batch(Batch(REPEATED, rules, CAST, seating, np.arange(seating.shape[1]), 3))
    totals = played.finals.reshape(2, len(pairs), games)
    for place, (one, other) in enumerate(pairs):
        both = [MACHINES[CAST[who].name] for who in (one, other)]
        expected = mean_points(*both, DILEMMA, rounds=rules.rounds, continuation=rules.continuation, noise=rules.noise)
        error = totals[:, place].std(axis=1, ddof=1) / np.sqrt(games)
        gap = totals[:, place].mean(axis=1) - np.asarray(expected) * rules.duration
        assert np.all(np.abs(gap) <= 4 * error + 1e-9), (CAST[one].name, CAST[other].name)


def test_shares_of_a_game_that_goes_on_are_those_of_the_geometric_series():
    delta = 0.7
    shares = outcome_shares(MACHINES["TitForTat"], MACHINES["AllD"], continuation=delta)
    assert shares.tolist() == pytest.approx([0, 1 - delta, 0, delta])


def test_an_automaton_and_its_machine_have_one_fingerprint(tmp_path):
    path = tmp_path / "tft.json"
    states = {"calm": {"play": "C", "C": "calm", "D": "angry"}, "angry": {"play": "D", "C": "calm", "D": "angry"}}
    path.write_text(json.dumps({"start": "calm", "states": states}))
    expected = exact_fingerprint(memory_one("1,0,1,0").rows, 5)
    assert exact_fingerprint(read_automaton(path), 5) == pytest.approx(expected)
    assert exact_fingerprint(STRATEGIES["TitForTat"].rows, 5) == pytest.approx(expected)


def test_what_cannot_be_computed_says_why():
    quiet = MACHINES["AllC"]
    with pytest.raises(InputError, match="deterministic"):
        round_robin([quiet, MACHINES["Random"]], DILEMMA, 5)
    with pytest.raises(InputError, match="symmetric"):
        round_robin([quiet], NAMED["matching-pennies"], 5)
    with pytest.raises(InputError, match="two actions"):
        mean_points(quiet, quiet, matrix_of('{"rows":["a","b","c"],"payoffs":[[0,1,2],[3,4,5],[6,7,8]]}'))
    ring = [*range(1, 60), 0]
    with pytest.raises(InputError, match="combined states"):
        mean_points(reactive_machine([0.5] * 60, ring, [0] * 60), reactive_machine([0.5] * 60, [0] * 60, ring), DILEMMA)
