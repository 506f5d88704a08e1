"""The batch engine plays the battery's games exactly as a single game does, for every subject and under many rules."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ostrom
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.step import stacked
from ostrom.experiment import play_match
from ostrom.games.battery.beauty_contest import part_of
from ostrom.games.battery.numbers import decimals, power
from ostrom.games.battery.subjects import SUBJECTS, subject_of
from ostrom.games.battery.subjects.theories import Selfish, _reply_to_any_claim
from ostrom.players.policy import Corrected, InTurn, PlayAs, Remembering, entry_of_rule
from ostrom.players.strategy import entry_of
from ostrom.sim import jax_engine
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

NOISY = [
    "fehr-schmidt:noise=0.1",
    "fehr-schmidt:alpha=0.5,beta=0.3",
    "level-k:k=2,noise=0.2",
    "level-k:k=3",
    "level-k:k=0",
    "selfish:noise=0.05",
    "conditional-cooperator:noise=0.3",
]
CAST = [*SUBJECTS.values(), *map(subject_of, NOISY)]
RULES = {
    "dictator": [{}, {"pot": 33.33}, {"pot": 0.07}],
    "ultimatum": [{}, {"pot": 12.5}, {"pot": 0.03}],
    "trust": [{}, {"endowment": 12.5, "multiplier": 1 / 3}, {"endowment": 1.0, "multiplier": 0.004}],
    "stag_hunt": [{}, {"stag": 3.3, "hare": 1.1}, {"hare": 0}],
    "public_goods": [{}, {"endowment": 12.5, "multiplier": 3.7}, {"endowment": 999_999.99, "multiplier": 7.77}],
    "centipede": [{}, {"scale": 0.1}, {"scale": 33.3}],
    "traveller": [
        {},
        {"low": 0.2, "high": 1.05, "step": 0.1, "bonus": 0.1},
        {"low": 2, "high": 11, "step": 3, "bonus": 1, "scale": 0.1},
        {"high": 900, "bonus": 90, "scale": 10},
    ],
    "beauty_contest": [{}, {"p": 0.7, "low": 10, "high": 20}, {"p": 1.0, "high": 1001}, {"p": 1.3, "prize": 33.33}],
    "matching_pennies": [{}, {"prize": 0.01}],
}
"""The highest claim of one of them lies between two steps."""
GAMES_EACH = 24


def tables(name, cast, games):
    seats = min(GAMES[name].seats.most, 5)
    return np.random.default_rng(seats).integers(0, len(cast), (seats, games))


def grid(name, cast, games=GAMES_EACH):
    """All rules of a game in one batch."""
    game, points = GAMES[name], [GAMES[name].rules(**settings) for settings in RULES[name]]
    which, numbers = np.repeat(np.arange(len(points)), games), np.tile(np.arange(games), len(points))
    seating = np.tile(tables(name, cast, games), len(points))
    return Batch(game, stacked(points, which), cast, seating, numbers, 7), [points[place] for place in which]


def sequence_settings(batch, rules):
    """Play the same games one after the other."""
    for column, (number, one) in enumerate(zip(batch.games.tolist(), rules, strict=True)):
        players = [batch.cast[member] for member in batch.seating[:, column]]
        yield column, play_match(batch.game, one, players, GameChance(batch.seed, number))


def asked(match, seats):
    return [
        len({one.question.turn for one in match.decisions if one.question.seat.index == seat}) for seat in range(seats)
    ]


@pytest.mark.parametrize("name", RULES)
def test_every_game_of_a_grid_is_the_game_played_alone(name):
    batch, rules = grid(name, CAST)
    found = play_batch(batch)
    for column, match in sequence_settings(batch, rules):
        assert found.finals[:, column].tolist() == list(batch.game.finals(match.events)), match.names
        assert found.turns_in[:, column].tolist() == asked(match, len(found.finals)), match.names
        assert found.turns[column] == max(one.question.turn for one in match.decisions), match.names


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name == "trust" else pytest.param(name, marks=pytest.mark.long) for name in RULES]
)
def test_jax_plays_the_same_games(name):
    cast = [subject_of(text) for text in ("fehr-schmidt:noise=0.1", "level-k:k=2", "random")]
    batch, _ = grid(name, cast)
    ours, theirs = play_batch(batch), jax_engine.play_batch(batch)
    np.testing.assert_allclose(theirs.finals, ours.finals, rtol=1e-9, atol=1e-9)
    assert np.array_equal(theirs.turns_in, ours.turns_in)
    assert np.array_equal(theirs.turns, ours.turns)
    for figure, values in ours.figures.items():
        np.testing.assert_allclose(theirs.figures[figure], values, rtol=1e-9, atol=1e-9)


def test_no_played_game_is_left_out():
    played = {name for name, game in GAMES.items() if game.play.__module__.startswith("ostrom.games.battery")}
    assert {name for name in played if not GAMES[name].instrument} == set(RULES)


@pytest.mark.parametrize("name", ["public_goods", "centipede"])
def test_the_chunk_size_does_not_matter(name):
    how = {"games": 3, "seed": 11, "game": name, "group_size": 2, "workers": 1}
    whole = ostrom.tournament(NOISY[:5], **how).as_record()["standings"]
    assert ostrom.tournament(NOISY[:5], chunk_size=1, **how).as_record()["standings"] == whole
    assert ostrom.tournament(NOISY[:5], chunk_size=7, **how).as_record()["standings"] == whole


def test_subjects_go_to_other_processes_with_their_parameters():
    entry = pickle.loads(pickle.dumps(subject_of("fehr-schmidt:beta=0.3,noise=0.1")))
    assert (entry.rows.subject.beta, entry.rows.subject.noise) == (0.3, 0.1)


class Own(Selfish):
    """Decides by plain numbers alone."""

    def contribute(self, facts):
        return replace(super().contribute(facts), best=1.0 if facts.multiplier > 1 else 2.0)


def test_a_subject_that_derives_from_one_over_rows_is_played_as_it_is_written():
    own = entry_of(Own)
    assert own.rows is None
    found = ostrom.tournament([own, subject_of("random")], games=5, game="public-goods", seed=3)
    assert found.slow == ("Own",)
    assert {row.name: row.figures["contribution"].value for row in found.standings}["Own"] == 1.0


NETWORK = Corrected(
    base=PlayAs(player="random"), hidden=2, inputs=3, outputs=("move",), weights=tuple(np.linspace(-2, 2, 18))
)
TABLE = Remembering(memory=2, reads=(0, 2), levels={"move": tuple(float(place % 3 > 0) for place in range(16))})
SWITCH = InTurn(turns=3, first=PlayAs(player="conditional-cooperator"), then=PlayAs(player="random"))


@pytest.mark.parametrize("rule", [NETWORK, TABLE, SWITCH], ids=["network", "table", "switch"])
def test_memory_is_the_same_in_a_batch_and_in_a_single_game(rule):
    game = GAMES["centipede"]
    cast = [entry_of_rule(rule, game, SUBJECTS.__getitem__), *map(subject_of, ("random", "conditional-cooperator"))]
    seating = np.asarray([[0, 1, 0, 2, 0] * 8, [1, 0, 2, 0, 0] * 8])
    batch = Batch(game, game.rules(), cast, seating, np.arange(40), 3)
    found = play_batch(batch)
    assert len(np.unique(found.turns)) > 2
    for column, match in sequence_settings(batch, [game.rules()] * 40):
        assert found.finals[:, column].tolist() == list(game.finals(match.events))


def test_arrays_are_rounded_as_python_rounds():
    drawn = np.random.default_rng(1)
    values = np.concatenate(
        [
            *(drawn.random(2000) * 10.0**size for size in range(-3, 12)),
            drawn.integers(0, 10**7, 2000) * 0.125,
            np.arange(2000) * 0.005,
            drawn.integers(2**32, 2**33, 2000) / 1024,
            -drawn.random(2000),
        ]
    )
    for places in (2, 9):
        assert decimals(values, places).tolist() == [round(value, places) for value in values.tolist()]
    assert power(values[:50], 3).tolist() == [value**3 for value in values[:50].tolist()]


def test_parts_of_the_mean_are_the_nearest_fractions():
    drawn = np.random.default_rng(2)
    few = [2 / 3, 0.5, 1.0, 10.0, 1e-9, 0.0004, 0.0005, 0.00051, 1 / 999, 1 / 16]
    parts = [*few, *(drawn.random(500) * 10), *(drawn.random(500) / 100), *(drawn.integers(1, 999, 500) / 1000)]
    numerators, denominators = part_of(np.asarray(parts))
    for part, numerator, denominator in zip(parts, numerators.tolist(), denominators.tolist(), strict=True):
        assert Fraction(numerator, denominator) == Fraction(part).limit_denominator(1000)


@pytest.mark.parametrize("bonus", [0.0, 1.0, 2.0, 5.5, 200.0])
def test_the_reply_to_any_claim_has_the_highest_mean(bonus):
    claims = 2.0 + np.arange(99.0)
    lower = np.minimum(claims[:, None], claims)
    paid = (lower + bonus * np.sign(claims - claims[:, None])).mean(axis=1)
    assert _reply_to_any_claim(2.0, 100.0, bonus, 1.0) == claims[np.argmax(paid > paid.max() - 1e-9)]
