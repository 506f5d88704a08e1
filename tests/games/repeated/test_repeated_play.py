"""Play: the contract, noise, ends, messages, disguise, automata, and batches that equal single games."""

import json
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import ostrom
from ostrom.core import GameChance, InputError
from ostrom.core.step import stacked
from ostrom.experiment import play_match
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.play import telling_of
from ostrom.games.repeated.players import STRATEGIES
from ostrom.players.roster import choose, seat_players
from ostrom.players.strategy import Strategy, entry_of
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing import check_game

RPS = '{"rows":["rock","paper","scissors"],"payoffs":[[0,-1,1],[1,0,-1],[-1,1,0]]}'
HARD = {"matrix": "battle-of-the-sexes", "messages": True, "disguise": True, "noise": 0.1, "continue": 0.8}


@pytest.mark.parametrize("study", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "settings",
    [
        HARD,
        {"matrix": RPS, "rounds": 1, "noise": 0.5},
        pytest.param({**HARD, "talk": "in-turn"}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_game_keeps_the_contract(settings, study):
    check_game(REPEATED, rules=[Rules(**settings)], seeds=(1,), study=study)


CAST = [entry for entry in STRATEGIES.values() if entry.member is None]


@pytest.mark.parametrize("settings", [{"rounds": 12}, {"rounds": 12, "noise": 0.2}, {"continue": 0.9, "noise": 0.05}])
def test_a_batch_equals_single_games(settings):
    rules, games = Rules(**settings), 40
    seating = np.random.default_rng(3).integers(0, len(CAST), (2, games))
    batch = play_batch(Batch(REPEATED, rules, CAST, seating, np.arange(games), seed=5))
    for game in range(games):
        match = play_match(REPEATED, rules, [CAST[who] for who in seating[:, game]], GameChance(5, game))
        assert batch.finals[:, game].tolist() == REPEATED.finals(match.events)
        assert batch.turns[game] == len(rounds_of(match.events))


def test_a_grid_of_continuations_is_one_batch():
    points = [Rules(**{"continue": delta, "noise": noise}) for delta, noise in ((0.5, 0.0), (0.9, 0.1), (0.8, 0.3))]
    seating, numbers = np.random.default_rng(1).integers(0, len(CAST), (2, 8)), np.arange(8)
    which = np.repeat(np.arange(3), 8)
    many = play_batch(Batch(REPEATED, stacked(points, which), CAST, np.tile(seating, 3), np.tile(numbers, 3), 5))
    for place, rules in enumerate(points):
        alone = play_batch(Batch(REPEATED, rules, CAST, seating, numbers, 5))
        here = slice(place * 8, (place + 1) * 8)
        assert many.finals[:, here].tolist() == alone.finals.tolist()
        assert many.turns[here].tolist() == alone.turns.tolist()


class Copycat(Strategy):
    """Does what the other did last, in plain Python."""

    def answer(self, question, draw):
        past = question.view.history
        return past[-1].actions[question.view.other] if past else 0


def test_a_strategy_in_plain_python_plays_in_a_batch_as_its_row_form_does():
    cast = [entry_of(Copycat), STRATEGIES["TitForTat"], STRATEGIES["Joss"]]
    rules = Rules(rounds=15, noise=0.1)
    plain, rows = (
        play_batch(Batch(REPEATED, rules, cast, np.tile([[one], [2]], 6), np.arange(6), 2)).finals for one in (0, 1)
    )
    assert plain.tolist() == rows.tolist()


@pytest.mark.slow
def test_noise_flips_each_action_independently_and_both_see_it():
    match = ostrom.play(["AllC", "TitForTat"], game="repeated", rules=Rules(rounds=2000, noise=0.2), seed=1)
    rounds = rounds_of(match.events)
    flipped = np.asarray(
        [
            [did != meant for did, meant in zip(*each, strict=True)]
            for each in ((one.actions, one.chosen) for one in rounds)
        ]
    )
    assert flipped.mean(axis=0) == pytest.approx([0.2, 0.2], abs=0.03)
    assert np.corrcoef(flipped.T)[0, 1] == pytest.approx(0, abs=0.07)
    assert all(now.chosen[1] == before.actions[0] for before, now in pairwise(rounds))


def test_noise_leads_to_every_other_action():
    rules = Rules(matrix=RPS, rounds=1500, noise=0.5)
    match = ostrom.play(["AllC", "AllC"], game="repeated", rules=rules, seed=1)
    counts = np.bincount([one.actions[0] for one in rounds_of(match.events)], minlength=3) / 1500
    assert counts == pytest.approx([0.5, 0.25, 0.25], abs=0.04)


def test_another_round_comes_with_the_probability_that_the_rules_say():
    games = 4000
    seating = np.zeros((2, games), dtype=np.int64)
    batch = Batch(REPEATED, Rules(**{"continue": 0.75}), [STRATEGIES["AllC"]], seating, np.arange(games), 3)
    turns = play_batch(batch).turns
    assert turns.mean() == pytest.approx(4.0, abs=3 * np.sqrt(12 / games))
    assert (turns == 1).mean() == pytest.approx(0.25, abs=0.025)


def test_a_disguise_is_an_isomorphic_game_drawn_from_the_seed():
    rules = Rules(disguise=True)
    told = [telling_of(rules, GameChance(seed)) for seed in range(40)]
    assert telling_of(rules, GameChance(7)) == told[7]
    assert len({one.story for one in told}) > 4
    assert len({one.labels for one in told}) > 30
    assert {one.order[0] for one in told} == {(0, 1), (1, 0)}
    for one in told:
        shown = [one.points(points) for points in (0, 1, 3, 5)]
        assert sorted(shown) == shown
        assert one.labels[0] == one.labels[1]
        assert not set(one.labels[0]) & {"cooperate", "defect"}


def test_an_automaton_from_a_file_plays_as_its_states_say(tmp_path):
    states = {"calm": {"play": "C", "C": "calm", "D": "angry"}, "angry": {"play": "D", "C": "calm", "D": "angry"}}
    path = tmp_path / "calm.json"
    path.write_text(json.dumps({"start": "calm", "states": states}))
    (automaton,) = seat_players("repeated", [f"automaton:{path}"])
    rules = Rules(rounds=30, noise=0.2)
    found, expected = (
        play_match(REPEATED, rules, [one, STRATEGIES["Joss"]], GameChance(4)).events
        for one in (automaton, STRATEGIES["TitForTat"])
    )
    assert found == expected


def test_names_with_parameters_and_numbers_of_seats():
    found = choose(["memory-one:0.9,0.1,0.8,0.2:2", "Joss:p=0.8", "AllC:2"], game="repeated")
    assert [one.name for one in found] == [*["memory-one:0.9,0.1,0.8,0.2"] * 2, "Joss:p=0.8", "AllC", "AllC"]
    assert found[2].rows.p == 0.8
    assert [one.name for one in choose(game="repeated")] == [one.name for one in CAST]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("memory-one", "a family of strategies"),
        ("memory-one:0.9,0.1", "four probabilities"),
        ("memory-one:0.9,0.1,0.8,1.2", "from 0 to 1"),
        ("memory-one:a,b,c,d", "not numbers"),
        ("automaton:nowhere.json", "cannot be read"),
        ("Joss:p=2", "out of range"),
        ("AllC:p=1", "no parameters"),
    ],
)
def test_bad_names_are_one_line(name, said):
    with pytest.raises(InputError, match=said) as caught:
        choose([name], game="repeated")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_continue_is_an_option_of_the_command_line(tmp_path):
    words = ["run", "repeated", "--continue", "0.5", "--include", "AllC:2", "--seed", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "ostrom", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"continue": 0.5' in done.stdout
