"""Policies: strategies that are data, in a file."""

import json

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.players import policy
from ostrom.players.policy_rows import network_size
from ostrom.players.roster import built_in_players, choose
from ostrom.players.strategy import find_strategy
from ostrom.sim.problem import Problem

COMMONS = GAMES["commons"]


def find(name):
    return find_strategy(built_in_players("commons"), name)


def finals(*rules, others=("Pavlov", "Parasite", "RandomPlayer"), games=40, **settings):
    """What each rule brings, over the same games."""
    made = ostrom.CommonsRules(**{"duration": 12, **settings})
    problem = Problem(COMMONS, made, tuple(find(name) for name in others), len(others), 5)
    return problem.play([policy.entry_of_rule(rule, COMMONS, find) for rule in rules], 0, games).finals


def network(base, weights=None):
    size = network_size(7, 2, 2)
    made = tuple(np.zeros(size) if weights is None else weights)
    return policy.Corrected(base=base, hidden=2, inputs=7, outputs=("contribution", "lobby"), weights=made)


NAMES = ("Gradual", "Capitaliste", "AlwaysBetray", "AlwaysCoop", "Pragmatique")
AS = {name: policy.PlayAs(player=name) for name in NAMES}
TABLE = {"kind": "table", "memory": 1, "reads": [0], "levels": {"vote": [1]}}


def test_rules_that_come_to_the_same_bring_the_same():
    gradual, coop, betray = AS["Gradual"], AS["AlwaysCoop"], AS["AlwaysBetray"]
    same = [
        (gradual, policy.ByField(fields=dict.fromkeys(("contribution", "lobby", "vote"), gradual))),
        (gradual, policy.InTurn(turns=3, first=gradual, then=gradual)),
        (AS["Pragmatique"], network(AS["Pragmatique"])),
        (coop, policy.ConstantRule(levels={"contribution": 1.0})),
        (betray, policy.Remembering(memory=1, reads=(0, 1), levels={"contribution": (0.0,) * 4})),
        (betray, policy.InTurn(turns=1_000_000, first=betray, then=AS["Capitaliste"])),
    ]
    for one, other in same:
        first, second = finals(one, other)
        assert np.array_equal(first, second)


def test_each_part_of_a_rule_has_its_say():
    coop, betray, capitalist = AS["AlwaysCoop"], AS["AlwaysBetray"], AS["Capitaliste"]
    mixed = policy.ByField(fields={"contribution": betray, "lobby": capitalist})
    late = policy.InTurn(turns=2, first=coop, then=betray)
    pushed = network(coop, [*np.zeros(network_size(7, 2, 2) - 11), -1.0, *np.zeros(10)])
    found = finals(coop, betray, capitalist, mixed, late, pushed)
    assert len({tuple(row) for row in found}) == 5
    assert np.array_equal(found[5], found[1])  # a correction by −1 leaves nothing to give


def test_a_table_does_by_the_bits_of_the_last_turn_what_tit_for_tat_does():
    """Against one other who gives all or nothing: bit 0 is what the other's median was."""
    table = policy.Remembering(memory=1, reads=(2,), levels={"contribution": (0.0, 1.0)})
    first, second = finals(table, policy.PlayAs(player="TitForTat"), others=("Gradual",))
    assert np.array_equal(first, second)


def test_a_policy_sits_down_in_a_single_game_as_in_a_batch(tmp_path):
    rng = np.random.default_rng(3)
    rule = network(AS["Pragmatique"], np.round(rng.normal(size=network_size(7, 2, 2)), 3).tolist())
    policy.write_policy(tmp_path / "p.json", rule, COMMONS, {})
    name = f"policy:{tmp_path / 'p.json'}"
    (player,) = choose([name])
    rules = ostrom.CommonsRules(turns=6)
    match = ostrom.play(["Pavlov", "Parasite", name], seed=5, rules=rules)
    problem = Problem(COMMONS, rules, (find("Pavlov"), find("Parasite")), 2, 5)
    batch = problem.play([player], 0, 1).finals[0, 0]
    assert COMMONS.finals(match.events)[2] == pytest.approx(batch, rel=1e-9)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("[", "is not a policy"),
        ({"game": "commons"}, "rule"),
        ({"game": "repeated", "rule": {"kind": "as", "player": "AllC"}}, "not of commons"),
        ({"game": "commons", "rule": {"kind": "as", "player": "Nobody"}}, "Nobody"),
        ({"game": "commons", "rule": {"kind": "import", "module": "os"}}, "rule"),
        ({"game": "commons", "rule": {"kind": "constant", "levels": {"contribution": 2}}}, "levels"),
        ({"game": "commons", "rule": TABLE}, "2 levels"),
        (
            {
                "game": "commons",
                "rule": {
                    "kind": "network",
                    "base": {"kind": "as", "player": "Pavlov"},
                    "hidden": 1,
                    "inputs": 1,
                    "outputs": ["lobby"],
                    "weights": [1],
                },
            },
            "6 weights",
        ),
    ],
)
def test_what_is_no_policy_is_refused(document, said, tmp_path):
    file = tmp_path / "p.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    with pytest.raises(InputError, match=said):
        choose([f"policy:{file}"])


def test_a_policy_is_named_by_a_file():
    for name in ("policy:nowhere.json", "policy:p.py", "policy"):
        with pytest.raises(InputError, match=r"\.json"):
            choose([name])
