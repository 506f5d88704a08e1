"""Best responses in repeated games: exact against finitely many states, to the digits of theory; searched else."""

import json

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.games.repeated.automata import AutomatonFile, process_against, read_automaton
from ostrom.games.repeated.machines import mean_points
from ostrom.games.repeated.players import STRATEGIES
from ostrom.players.roster import choose
from ostrom.players.strategy import find_strategy
from ostrom.sim.best_response import respond
from ostrom.sim.problem import solve
from ostrom.sim.search import Effort

RULES = GAMES["repeated"].rules


def solved(player, **rules):
    made = RULES(**rules)
    machine = find_strategy(STRATEGIES, player).rows.machine(made.game, 0)
    return solve(process_against(machine, made, 1))


@pytest.mark.parametrize(
    ("player", "continues", "best", "a_round"),
    [
        ("AllC", 0.9, ("D",), 5.0),
        ("AllD", 0.9, ("D",), 1.0),
        ("TitForTat", 0.9, ("C",), 3.0),
        ("Grim", 0.51, ("C",), 3.0),
        ("Grim", 0.5, ("C", "D"), 3.0),
        ("Grim", 0.49, ("D",), 5 * 0.51 + 1 * 0.49),
    ],
)
def test_known_best_responses_in_the_prisoners_dilemma(player, continues, best, a_round):
    found = solved(player, **{"continue": continues})
    assert found.best_openings == best
    assert found.per_turn == pytest.approx(a_round, abs=1e-12)


def test_with_a_known_end_it_defects_in_the_last_round_alone():
    found = solved("TitForTat", rounds=10)
    assert found.value == 9 * 3 + 5
    assert found.choices[:, 0].tolist() == [0] * 9 + [1]


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_no_plan_is_better_than_the_best(noise):
    """Against every plan of a machine with five situations, by policy evaluation."""
    made = RULES(**{"continue": 0.8, "noise": noise})
    other = find_strategy(STRATEGIES, "memory-one:0.9,0.3,0.6,0.1,0.5").rows.machine(made.game, 0)
    process = process_against(other, made, 1)
    count = np.arange(5)
    worth = []
    for number in range(2**5):
        plan = np.asarray([number >> place & 1 for place in range(5)])
        system = np.eye(5) - 0.8 * process.leads[count, plan]
        worth.append(np.linalg.solve(system, process.gains[count, plan])[0])
    assert solve(process).value == pytest.approx(max(worth), rel=1e-12)


def test_the_response_to_extortion_cooperates_and_stays_on_its_line():
    """s_x − P = χ·(s_y − P), and nobody gets more from an extortioner than by giving in."""
    made = RULES(**{"continue": 0.99})
    extortion = find_strategy(STRATEGIES, "Extortion:chi=3").rows
    process = process_against(extortion.machine(made.game, 0), made, 1)
    found = solve(process)
    assert set(found.choices.ravel().tolist()) == {0}
    response = process.strategy(found.choices)
    x, y = mean_points(extortion.machine(made.game, 0), response.machine(made.game, 1), made.game)
    assert x - 1 == pytest.approx(3 * (y - 1), abs=1e-9)


@pytest.mark.parametrize("rules", [{"rounds": 6}, {"continue": 0.7}, {"rounds": 6, "noise": 0.1}])
def test_the_file_of_a_response_plays_what_the_plan_is_worth(rules, tmp_path):
    found = respond(["TitForTwoTats"], game="repeated", rules=RULES(**rules), seed=1, games=300)
    name = found.write(tmp_path / "response.json")
    (player,) = choose([name], game="repeated")
    made = RULES(**rules)
    machine = player.rows.machine(made.game, 1)
    other = find_strategy(STRATEGIES, "TitForTwoTats").rows.machine(made.game, 0)
    how = {"rounds": made.rounds, "continuation": made.continuation, "noise": made.noise}
    assert mean_points(other, machine, made.game, **how)[1] == pytest.approx(found.solution.per_turn, abs=1e-9)
    assert found.mean.low <= found.solution.value <= found.mean.high
    assert found.exact


def test_an_automaton_may_go_on_by_its_own_action_too(tmp_path):
    states = {
        "calm": {"play": "C", "C": ["calm", "angry"], "D": "angry"},
        "angry": {"play": "D", "C": "calm", "D": "calm"},
    }
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"start": "calm", "states": states}))
    assert read_automaton(file).machine(RULES().game).after.tolist()[0] == [[0, 1], [1, 1]]
    with pytest.raises(ValueError, match="which is not a state"):
        AutomatonFile.model_validate(
            {"start": "calm", "states": {"calm": {"play": "C", "C": ["calm", "x"], "D": "calm"}}}
        )


@pytest.mark.slow
def test_a_search_finds_what_is_known_too():
    effort = Effort(games=24, generations=0, rounds=2, selection=100)
    rules = RULES(**{"continue": 0.9})
    found = respond(["TitForTat"], game="repeated", rules=rules, seed=2, games=100, method="search", effort=effort)
    assert found.figures["first_action"].value == 1.0
    assert found.mean.value == pytest.approx(3 * found.mean.value / found.per_turn.value)


def test_matrices_of_more_actions_are_searched(tmp_path):
    file = tmp_path / "three.json"
    cells = [[[1, 1], [0, 0], [0, 0]], [[0, 0], [2, 2], [0, 0]], [[0, 0], [0, 0], [3, 3]]]
    file.write_text(json.dumps({"rows": ["a", "b", "c"], "columns": ["a", "b", "c"], "payoffs": cells}))
    with pytest.raises(InputError, match="finitely many states"):
        respond(["AllC"], game="repeated", rules=RULES(matrix=str(file)), seed=1, method="exact")
