"""Networks that learn on JAX: by policy gradients, and as candidates of an evolution strategy that play at once."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.findings.respond import describe_response
from ostrom.players import policy
from ostrom.players.policy_rows import network_size
from ostrom.players.roster import built_in_players
from ostrom.sim.best_response import problem_of, respond
from ostrom.sim.policy_gradient import Learner
from ostrom.sim.search import Effort, Search

pytestmark = pytest.mark.slow

LITTLE = Effort(games=4, generations=2, population=6, rounds=0, selection=4, updates=2, learners=8)
ONE_SHOT = ostrom.ContributePunishRules(rounds=1, punishment=False)


def entry(problem, rule):
    return policy.entry_of_rule(rule, problem.game, built_in_players(problem.game.name).__getitem__)


def corrected(problem, base, hidden, weights):
    shape = {"hidden": hidden, "inputs": problem.inputs, "outputs": problem.numbers}
    return policy.Corrected(base=base, **shape, weights=tuple(float(weight) for weight in weights))


@pytest.fixture(scope="module")
def giver():
    """One of four in a one-shot linear public good, who gives half of what it has."""
    problem = problem_of(["Cooperator:3"], game="punish", rules=ONE_SHOT, seed=1)
    base = policy.ConstantRule(levels={"contribution": 0.5})
    return problem, base, Learner(problem, entry(problem, base).rows, problem.numbers, 2)


def test_policy_gradients_learn_to_give_nothing_where_that_pays_most(giver):
    problem, base, learner = giver
    first, *_ = learner.learn(40, 32, seed=1)
    half, learned = problem.play(
        [entry(problem, base), entry(problem, corrected(problem, base, 2, first))], 0, 4
    ).finals
    # Of three others' 60 tokens 24 come back, and of one's own 20 that one keeps, all 20.
    assert half.tolist() == [38.0] * 4
    assert learned.mean() > 43.5


def test_nothing_is_compiled_again_for_other_weights(giver):
    problem, _, learner = giver
    size, drawn = network_size(problem.inputs, 2, len(problem.numbers)), np.random.default_rng(1)
    for start in range(3):
        learner.finals(drawn.normal(size=(5, size)), start, 3)
        learner.learn(2, 32, seed=start)
    assert learner._finals._cache_size() == 1
    assert learner._update._cache_size() == 1


def test_networks_get_on_jax_what_they_get_as_players():
    # A base that remembers, opponents that remember, chance, and a network that remembers.
    problem = problem_of(["Pavlov", "RandomPlayer"], game="commons", rules={"duration": 6}, seed=3)
    base = policy.PlayAs(player="TitForTat")
    size = network_size(problem.inputs, 2, len(problem.numbers))
    weights = np.round(np.random.default_rng(2).normal(scale=0.3, size=(4, size)), 6)
    ours = Learner(problem, entry(problem, base).rows, problem.numbers, 2).finals(weights, 10, 5)
    players = [entry(problem, corrected(problem, base, 2, one)) for one in weights]
    np.testing.assert_allclose(ours, problem.play(players, 10, 5).finals, rtol=1e-4)


def test_gradients_choose_among_all_that_a_search_finds(monkeypatch):
    """At some tables evolution finds more than gradients do."""
    monkeypatch.setattr(Search, "_learn", lambda self, best: [])
    how = {"rules": {"duration": 10}, "seed": 3, "games": 4, "effort": replace(LITTLE, generations=3)}
    table = ["Pavlov", "Detective", "RandomPlayer", "Capitaliste"]
    searched, learned = (respond(table, **how, method=method) for method in ("search", "gradient"))
    assert isinstance(searched.rule, policy.Corrected)
    assert (learned.rule, learned.tried) == (searched.rule, searched.tried)


def test_a_response_by_gradients_is_a_policy_that_can_be_seated(tmp_path):
    found = respond(["Cooperator:3"], game="punish", rules=ONE_SHOT, seed=1, games=4, method="gradient", effort=LITTLE)
    assert (found.method, found.steps, found.mean.value) == ("gradient", 2 * 2 * 8 * 32, 44.0)
    name = found.write(tmp_path / "learned.json")
    assert ostrom.play(["Cooperator:3", name], game="punish", rules=ONE_SHOT, seed=5).events


def test_the_evolution_strategy_finds_the_same_on_jax():
    how = {"game": "punish", "rules": ONE_SHOT, "seed": 1, "games": 4, "effort": LITTLE, "method": "search"}
    one, other = (respond(["Cooperator:3"], backend=backend, **how) for backend in ("numpy", "jax"))
    assert describe_response(one).as_record() == describe_response(other).as_record()


def test_without_jax_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(InputError, match=r"pip install 'ostrom\[jax\]'"):
        respond(["Cooperator:3"], game="punish", rules=ONE_SHOT, seed=1, games=4, method="gradient", effort=LITTLE)


def test_who_plays_in_plain_python_is_named():
    def own(view, memory):
        raise AssertionError

    with pytest.raises(InputError, match="plain Python"):
        respond([own], game="commons", seed=1, method="gradient", effort=LITTLE)
