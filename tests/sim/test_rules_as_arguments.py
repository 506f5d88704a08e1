"""A grid of rules is one batch: every game of it ends as it does under its own rules alone, to the last bit."""

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.core.step import stacked
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.champion import Champion
from ostrom.players.roster import choose, own_players
from ostrom.players.strategy import entry_of
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch
from ostrom.sim.points import play_points

pytestmark = pytest.mark.slow

EACH = 12
POINTS = {
    "commons": [
        {"duration": 12, "alpha": 0.1, "synergy": 1.5, "erosion_intensity": 2.0, "votes_needed": 1, "endowment": 50},
        {"duration": 20, "erosion_intensity": 0.5, "growth": 0.2, "shrinkage": 0.01, "sensitivity": 0.01},
        {"duration": 16, "synergy_lowest": 1, "synergy_highest": 2.5, "golden_age_from": 0.7, "erosion_below": 0.3},
    ],
    "punish": [
        {"messages": False, "rounds": 5, "start": 33, "multiplier": 1.2345, "ratio": 0, "max_spend": 0},
        {"messages": False, "ratio": 2, "multiplier": 2, "max_spend": 7, "max_fraction": 0.25, "max_absolute": 4},
        {"messages": False},
    ],
    "repeated": [{"rounds": 5}, {"rounds": 9, "noise": 0.1}, {"rounds": 7, "noise": 0.5}],
    "auction": [{"rounds": 3}, {"rounds": 5, "reserve": 20, "max_price": 50}, {"reserve": 7, "max_price": 1000}],
    "alternating-offers": [
        {"tick": 0, "delta_second": 0.9},
        {
            **{"tick": 0, "pie": 7, "delta": 0.8, "delta_second": 0.7, "breakdown": 0.1},
            **{"outside": 0.5, "outside_second": 0.25},
        },
    ],
    "contributions": [
        {"punishment": True, "reward": True, "rounds": 4},
        {
            **{"punishment": True, "reward": True, "rounds": 6, "endowment": 7, "multiplier": 2.3, "max_points": 3},
            **{"punish_cost": 0.5, "punish_loss": 2.0, "reward_cost": 2.0, "reward_gain": 3.0},
        },
    ],
    "double-auction": [
        {"rounds": 3},
        {"rounds": 5, "continuation": 0.8, "max_price": 50, "k": 0.25, "min_surplus": 0.1},
    ],
    "bargaining": [
        {"rounds": 3},
        {"rounds": 5, "continuation": 0.8, "max_price": 50, "k": 0.25, "min_surplus": 0.1},
    ],
    "dictator": [{}, {"pot": 0.07}],
    "ultimatum": [{}, {"pot": 12.5}],
    "trust": [{}, {"endowment": 12.5, "multiplier": 1 / 3}],
    "stag-hunt": [{}, {"stag": 3.3, "hare": 1.1}],
    "public-goods": [{}, {"endowment": 12.5, "multiplier": 3.7}],
    "centipede": [{}, {"scale": 33.3}],
    "traveller": [{}, {"low": 0.2, "high": 1.05, "step": 0.1, "bonus": 0.1, "scale": 2}],
    "beauty-contest": [{}, {"p": 0.7, "low": 10, "high": 20, "prize": 33.33}],
    "matching-pennies": [{}, {"prize": 0.01}],
}
"""Between them the points of a game differ in every rule that is an argument."""
WITH_STEP = [game.command for game in GAMES.values() if game.step is not None and game.part("step").arguments]


def tables_of(game, cast, seats=None):
    seats = seats or game.seats.largest(5)
    return np.random.default_rng(seats).integers(0, len(cast), (seats, EACH))


def assert_each_as_alone(game, points, cast, engine):
    tables = tables_of(game, cast)
    which = np.repeat(np.arange(len(points)), EACH)
    numbers = np.arange(EACH)
    many = Batch(game, stacked(points, which), cast, np.tile(tables, len(points)), np.tile(numbers, len(points)), 5)
    found = engine(many)
    for place, rules in enumerate(points):
        alone = engine(Batch(game, rules, cast, tables, numbers, 5))
        here = slice(place * EACH, (place + 1) * EACH)
        assert np.array_equal(found.turns[here], alone.turns)
        assert np.array_equal(found.turns_in[:, here], alone.turns_in)
        assert np.array_equal(found.finals[:, here], alone.finals, equal_nan=True)
        for name, values in alone.figures.items():
            assert np.array_equal(found.figures[name][:, here], values, equal_nan=True), name


def row_players(game):
    return [entry for entry in own_players(game).values() if entry.rows is not None]


@pytest.mark.parametrize("command", WITH_STEP)
def test_every_point_of_a_grid_is_played_as_alone(command):
    game = GAMES.of_command(command)
    points = [game.rules(**settings) for settings in POINTS[command]]
    differ = {name for name in game.rules.model_fields if len({repr(getattr(one, name)) for one in points}) > 1}
    free = {name for name in game.part("step").arguments if all(getattr(one, name) is not None for one in points)}
    assert free <= differ
    assert_each_as_alone(game, points, row_players(game), numpy_engine.play_batch)


ON_JAX = {
    "commons": ["Pavlov", "Opportuniste"],
    "punish": ["Cooperator", "FreeRider"],
    "auction": ["Equilibrium", "LearningDirection"],
    "repeated": ["TitForTat", "AllD"],
    "beauty-contest": ["level-k:k=2,noise=0.1", "random"],
}


@pytest.mark.parametrize(
    "command", [*list(ON_JAX)[:3], *(pytest.param(name, marks=pytest.mark.long) for name in list(ON_JAX)[3:])]
)
def test_every_point_is_played_as_alone_on_jax_and_as_on_numpy(command):
    game = GAMES.of_command(command)
    points, cast = [game.rules(**settings) for settings in POINTS[command]], choose(ON_JAX[command], game=game.name)
    before = jax_engine.compiled.cache_info().misses
    assert_each_as_alone(game, points, cast, jax_engine.play_batch)
    assert jax_engine.compiled.cache_info().misses == before + 1, "one program serves all values"
    which, tables = np.repeat(np.arange(len(points)), EACH), tables_of(game, cast)
    times = len(points)
    many = Batch(game, stacked(points, which), cast, np.tile(tables, times), np.tile(np.arange(EACH), times), 5)
    ours, theirs = numpy_engine.play_batch(many), jax_engine.play_batch(many)
    np.testing.assert_allclose(theirs.finals, ours.finals, rtol=1e-9, atol=1e-12)
    assert np.array_equal(theirs.turns, ours.turns)


def test_a_known_last_turn_can_differ_too():
    points = [CommonsRules(turns=turns, alpha=turns / 10) for turns in (3, 9, 5)]
    assert_each_as_alone(COMMONS, points, choose(), numpy_engine.play_batch)


def test_the_chance_of_another_round_can_differ_too():
    game = GAMES.of_command("repeated")
    points = [game.rules(**{"continue": chance, "noise": 0.1}) for chance in (0.5, 0.9, 0.0)]
    assert_each_as_alone(game, points, row_players(game), numpy_engine.play_batch)


class Watcher(Champion):
    """Gives by the rules of its own game."""

    def decide(self, ctx):
        """Less where much is redistributed."""
        return 1.0 - ctx.rules.alpha / 2


def test_plain_python_sees_the_rules_of_its_own_game():
    points = [CommonsRules(turns=4, alpha=alpha, votes_needed=1) for alpha in (0.2, 0.9)]
    assert_each_as_alone(COMMONS, points, [entry_of(Watcher), *choose(["Pavlov"])], numpy_engine.play_batch)


# The function that sweeps stand on.

MIXED = [
    CommonsRules(duration=8, alpha=0.2),
    CommonsRules(duration=8, lobbying=False),
    CommonsRules(duration=8, alpha=0.9),
    CommonsRules(turns=5, lobbying=False),
]
"""They differ in more than numbers, so they are three batches."""
CAST = choose(["Pavlov", "Parasite", "Gradual"])
TABLES = [(0, 1, 2), (1, 1, 2), (2, 0, 0), (1, 2, 0)]


def found(points, **how):
    kept = {}
    for chunk in play_points(COMMONS, points, CAST, TABLES, games_each=6, seed=3, **how):
        for column, key in enumerate(zip(*(part.tolist() for part in chunk[:3]), strict=True)):
            assert key not in kept
            kept[key] = [*chunk.result.finals[:, column].tolist(), *chunk.result.wins[:, column].tolist()]
    return kept


def test_points_do_not_depend_on_chunks_or_on_each_other():
    whole = found(MIXED)
    assert set(whole) == {(point, table, game) for point in range(4) for table in range(4) for game in range(6)}
    assert found(MIXED, chunk_size=7) == whole
    for place, rules in enumerate(MIXED):
        assert {(place, *key[1:]): values for key, values in found([rules]).items()}.items() <= whole.items()


@pytest.mark.long
def test_points_do_not_depend_on_workers():
    assert found(MIXED, chunk_size=10, workers=2) == found(MIXED)


def test_bad_tables_are_refused():
    with pytest.raises(InputError, match="all tables must have the same number of seats"):
        list(play_points(COMMONS, MIXED, CAST, [(0, 1), (0, 1, 2)], games_each=2, seed=1))
    with pytest.raises(InputError, match="by index, from 0 to 2"):
        list(play_points(COMMONS, MIXED, CAST, [(0, 3)], games_each=2, seed=1))
    with pytest.raises(InputError, match="at least 1"):
        list(play_points(COMMONS, MIXED, CAST, TABLES, games_each=0, seed=1))
