"""JAX environments play the same games as the NumPy engine, and start the next game when one ends."""

import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.environments import jax_env, jax_table, network_levels, new_network, save_network
from ostrom.players.policy import ConstantRule, entry_of_rule
from ostrom.players.roster import built_in_players, choose
from ostrom.players.strategy import find_strategy
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch

pytestmark = pytest.mark.slow

PACKAGES = [Path(__file__).parents[2] / "examples" / name / "src" for name in ("ostrom-harvest", "ostrom-offers")]
NUMBERS = 48


@pytest.fixture(scope="module", autouse=True)
def outside():
    """Two games of packages from outside."""
    sys.path[:0] = map(str, PACKAGES)
    from ostrom_harvest import HARVEST
    from ostrom_offers import OFFERS

    GAMES.add(HARVEST)
    GAMES.add(OFFERS)
    yield
    for folder in PACKAGES:
        sys.path.remove(str(folder))


def play_to_the_end(env, action, steps, params=None):
    """Return finals (games, seats) and numbers of turns of the first games."""
    action = jnp.asarray(action, dtype=jnp.float32)
    step = partial(env.step, params=params)

    @jax.jit
    def played(numbers):
        def play_step(playing, _):
            keys = jax.random.split(jax.random.key(0), NUMBERS)
            _, playing, _, done, info = jax.vmap(step, (0, 0, None))(keys, playing, action)
            return playing, (done, info)

        return jax.lax.scan(play_step, jax.vmap(lambda number: env.begin(number, params))(numbers), None, steps)[1]

    done, info = jax.device_get(played(jnp.arange(NUMBERS, dtype=jnp.uint32)))
    assert done.any(axis=0).all(), "some games are not over"
    first = done.argmax(axis=0), np.arange(NUMBERS)
    assert np.array_equal(info["game"][first], np.arange(NUMBERS))
    return info["finals"][first], info["turn"][first]


TABLES = {
    "commons": (["Justicier", "RandomPlayer", "Gradual"], {"duration": 8}, 30),
    "repeated": (["WinStayLoseShift"], {"rounds": 12, "noise": 0.2}, 13),
    "auction": (["LearningDirection", "ZeroIntelligence"], {"rounds": 4}, 5),
    "contribute_punish": (["ConditionalCooperator", "AltruisticPunisher", "Retaliator"], {"rounds": 3}, 7),
    "contributions": (["ConditionalCooperator", "RandomContributor"], {"rounds": 4}, 5),
    "double_auction": (["ZeroIntelligence"], {"rounds": 4}, 5),
    "bargaining": (["ZeroIntelligence"], {"rounds": 4}, 5),
    "alternating_offers": (["Rubinstein"], {"rounds": 4, "tick": 0}, 9),
    "harvest": (["Reciprocator", "RandomHarvester"], {"rounds": 4}, 9),
    "offers": (["RandomBargainer"], {"rounds": 4}, 9),
    "trust": (["random"], {}, 3),
    "centipede": (["random"], {}, 7),
    "dictator": (["random"], {}, 2),
    "ultimatum": (["random"], {}, 3),
    "stag_hunt": (["random"], {"hare": 20}, 2),
    "public_goods": (["random", "conditional-cooperator"], {}, 2),
    "traveller": (["random"], {}, 2),
    "beauty_contest": (["random", "random"], {}, 2),
    "matching_pennies": (["random"], {}, 2),
}


QUICK = ("commons", "repeated", "trust", "centipede")
"""Together they have phases, turns, and seats that are not always asked."""


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in TABLES],
)
def test_every_game_has_the_results_of_the_numpy_engine(name):
    others, settings, steps = TABLES[name]
    game = GAMES[name]
    seats, seat = len(others) + 1, 1
    env = jax_env(name, opponents=others, seat=seat, rules=settings, seed=11)
    levels = dict(zip(env.fields, (0.6, 0.25), strict=False))
    finals, turns = play_to_the_end(env, list(levels.values()), steps)
    find = partial(find_strategy, built_in_players(name))
    constant = entry_of_rule(ConstantRule(levels=levels), game, find)
    cast = choose(others, game=name)
    cast.insert(seat, constant)
    seating = np.tile(np.arange(seats)[:, None], (1, NUMBERS))
    batch = Batch(game, rules=game.rules(**settings), cast=cast, seating=seating, games=np.arange(NUMBERS), seed=11)
    ours = numpy_engine.play_batch(batch)
    np.testing.assert_allclose(finals.T, ours.finals, rtol=1e-6)
    assert np.array_equal(turns, ours.turns)
    assert len(np.unique(finals)) > 1


def test_no_game_with_an_array_form_is_left_out():
    packages = ("ostrom.", "ostrom_harvest.", "ostrom_offers.")  # Other tests load games from plugin files.
    ours = {name for name, game in GAMES.items() if game.step and f"{game.play.__module__}.".startswith(packages)}
    assert ours == set(TABLES)


def test_a_game_of_learners_can_be_replayed():
    env = jax_table("commons", seats=3, rules={"duration": 6}, seed=4, fields=["contribution"])
    step, rng = jax.jit(env.step_env), np.random.default_rng(1)
    number, done, levels, total_rewards = 5, False, [], np.zeros(3)
    playing = env.begin(number)
    while not done:
        levels.append(rng.random(3).astype(np.float32))
        actions = {agent: jnp.asarray([level]) for agent, level in zip(env.agents, levels[-1], strict=True)}
        _, playing, rewards, dones, info = step(jax.random.key(0), playing, actions)
        done = bool(dones["__all__"])
        total_rewards += [float(rewards[agent]) for agent in env.agents]

    def repeat(question):
        move = {"contribution": float(levels[question.turn - 1][question.seat.index]), "lobby": 0.0}
        return move | ({"vote": None} if question.view.may_vote else {})

    match = ostrom.play([repeat] * 3, rules=GAMES["commons"].rules(duration=6), seed=4, number=number)
    finals = match.game.finals(match.events)
    assert info["finals"] == pytest.approx(finals, rel=1e-9)
    assert total_rewards == pytest.approx(finals, rel=1e-4)


def test_a_rule_can_differ_from_game_to_game_and_another_game_follows():
    env = jax_env("repeated", opponents=["TitForTat"], rules={"rounds": 3}, reward="final")

    @jax.jit
    def roll(keys, rounds):
        def one(key, rounds):
            seen, playing = env.reset(key, {"rounds": rounds})

            def play_step(carry, key):
                seen, playing = carry
                seen, playing, reward, done, info = env.step(key, playing, jnp.zeros(1), {"rounds": rounds})
                return (seen, playing), (reward, done, info["game"])

            return jax.lax.scan(play_step, (seen, playing), jax.random.split(key, 6))[1]

        return jax.vmap(one)(keys, rounds)

    rewards, done, games = jax.device_get(roll(jax.random.split(jax.random.key(1), 2), jnp.asarray([2, 3])))
    assert done.tolist() == [[False, True] * 3, [False, False, True] * 2]
    assert rewards.tolist() == [[0, 6] * 3, [0, 0, 9] * 2]
    assert [len(set(row)) for row in games.tolist()] == [3, 2]


def test_tied_seats_share_their_ranks():
    env = jax_table("repeated", rules={"rounds": 1}, reward="rank")
    step = jax.jit(env.step_env)
    for levels, shared in (((0.0, 0.0), (0.5, 0.5)), ((0.0, 1.0), (0.0, 1.0))):
        actions = {agent: jnp.asarray([level]) for agent, level in zip(env.agents, levels, strict=True)}
        _, _, rewards, _, _ = step(jax.random.key(0), env.begin(0), actions)
        assert tuple(float(rewards[agent]) for agent in env.agents) == shared


def test_invalid_arguments_are_refused():
    with pytest.raises(InputError, match="stated-trust has no array form, which a JAX environment needs"):
        jax_table("stated_trust")
    with pytest.raises(InputError, match="there is no seat 4; the table has seats 0 to 1"):
        jax_env("commons", opponents=["Pavlov"], seat=4)
    with pytest.raises(InputError, match="commons has no field 'gift'; it has contribution, lobby, vote"):
        jax_env("commons", opponents=["Pavlov"], fields=["gift"])
    with pytest.raises(InputError, match="lobbying is not a parameter of a compiled commons"):
        jax_env("commons", opponents=["Pavlov"]).begin(0, {"lobbying": 1})


def test_a_saved_network_plays_like_the_original(tmp_path):
    others, rules = ["Justicier", "RandomPlayer"], {"duration": 6}
    env = jax_env("commons", opponents=others, seat=1, rules=rules, seed=11)
    network = new_network(jax.random.key(3), env, hidden=5)
    network = network._replace(output=jax.random.normal(jax.random.key(4), network.output.shape) / 3)
    name = save_network(tmp_path / "trained.json", network, env, against=others)

    @jax.jit
    def played(number):
        def play_step(carry):
            seen, playing, _, _ = carry
            seen, playing, _, done, info = env.step_env(number, playing, network_levels(network, seen))
            return seen, playing, done, info["finals"]

        playing = env.begin(number)
        start = (env.features(playing, env.seat), playing, jnp.asarray(False), env.finals(playing))
        return jax.lax.while_loop(lambda carry: ~carry[2], play_step, start)[3]

    for number in range(6):
        match = ostrom.play([others[0], name, others[1]], rules=rules, seed=11, number=number)
        np.testing.assert_allclose(played(jnp.uint32(number)), match.game.finals(match.events), rtol=1e-4)
    standings = ostrom.tournament([name, *others], games=2, rules=rules, seed=1).standings
    assert name in {row.name for row in standings}
    experiment = ostrom.bench([name, *others], games=2, rules=rules, seed=1, store=tmp_path / "lab.db", progress=False)
    assert name in experiment.measure("mean_final")["player"].to_list()
