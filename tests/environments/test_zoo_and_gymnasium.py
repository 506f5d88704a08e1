"""Environments pass the checks of PettingZoo and Gymnasium, and play the same games as `ostrom.play`."""

import subprocess
import sys
from collections import deque
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import ostrom
from ostrom.core import Answer, InputError, Provenance
from ostrom.core.plugins import GAMES, load_file
from ostrom.core.specs import Aimed, Amount, Choice, Fields, stepped
from ostrom.environments import aec_env, parallel_env, seat_env
from ostrom.environments.spaces import amount_at, compose, parts_of
from ostrom.experiment import record_of, replay

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = {"commons": {"duration": 10}, "contribute_punish": {"rounds": 2}, "harvest": {"rounds": 3}}
"""Rules for short games."""
SEATS = {"commons": 4}


@pytest.fixture(scope="module", autouse=True)
def plugins():
    """Two games of packages, and one of a file."""
    folders = [str(EXAMPLES / package / "src") for package in ("ostrom-harvest", "ostrom-offers")]
    sys.path[:0] = folders
    from ostrom_harvest import HARVEST
    from ostrom_offers import OFFERS

    GAMES.add(HARVEST)
    GAMES.add(OFFERS)
    load_file(EXAMPLES / "volunteers.py")
    yield
    for folder in folders:
        sys.path.remove(folder)


PLAYED = [name for name, game in GAMES.items() if game.play.__module__.startswith("ostrom.") and not game.instrument]
OUTSIDE = ["harvest", "offers", "volunteers"]
STATED = [name for name in GAMES if name.startswith("stated_")]
QUICK = [
    "stated_dictator",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("stated_ultimatum", "stated_time")),
]


def settings(name):
    return {"rules": SHORT.get(name, {}), "seats": SEATS.get(name)}


def rollout(env, seed, taken=None):
    """A game between agents that act at random, by the masks; what those who were asked did is added to `taken`."""
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    _, infos = env.reset(seed=seed)
    gained = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(infos[agent].get("action_mask")) for agent in env.agents}
        for agent in env.agents if taken else ():
            if infos[agent]["asked"]:
                taken[agent].append(actions[agent])
        _, rewards, _, _, infos = env.step(actions)
        assert not any(info.get("illegal") for info in infos.values())
        gained = {agent: gained[agent] + reward for agent, reward in rewards.items()}
    return env.match, list(gained.values())


# What is said of spaces that no game knows the bounds of; agents of games with several phases act in several parts.
ADVICE = pytest.mark.filterwarnings(
    "ignore:Agent's m..imum observation space value is",
    "ignore:.*A Box observation space m..imum value is",
    "ignore:Action space for each agent probably should be",
)


@ADVICE
@pytest.mark.parametrize(
    "name", [*PLAYED, *OUTSIDE, *QUICK, *(pytest.param(name, marks=pytest.mark.long) for name in STATED)]
)
def test_the_checks_of_pettingzoo_pass(name, capsys):
    parallel_api_test(parallel_env(name, **settings(name)), num_cycles=20)
    parallel_seed_test(lambda: parallel_env(name, **settings(name)), num_cycles=6)
    api_test(aec_env(name, **settings(name)), num_cycles=20)
    seed_test(lambda: aec_env(name, **settings(name)), num_cycles=6)


@ADVICE
@pytest.mark.parametrize("name", PLAYED)
def test_the_check_of_gymnasium_passes(name):
    made = gymnasium.make(f"ostrom/{GAMES[name].command}-v0", rules=SHORT.get(name), render_mode="ansi")
    check_env(made.unwrapped)
    check_env(seat_env(name, rules=SHORT.get(name), levels=3), skip_render_check=True)


@ADVICE
@pytest.mark.parametrize("name", OUTSIDE)
def test_it_passes_for_games_of_plugins(name):
    check_env(seat_env(name, rules=SHORT.get(name)), skip_render_check=True)


def test_a_seat_that_is_never_asked_is_named():
    def keeps(question):
        return 0.0

    env = seat_env("trust", opponents=[keeps], seat=1)
    with pytest.raises(InputError, match="seat 1 was not asked in 1,000 games with these opponents"):
        env.reset(seed=1)


@pytest.mark.parametrize("name", [*PLAYED, *OUTSIDE])
def test_a_rollout_plays_again_by_the_rules_with_the_same_events(name):
    match, _ = rollout(parallel_env(name, **settings(name)), seed=5)
    again = replay(record_of(match))
    assert again.events == match.events
    assert (match.seed, match.number, len(match.decisions)) == (5, 0, len(again.decisions))


@pytest.mark.parametrize("name", [*PLAYED, *OUTSIDE])
def test_one_after_the_other_the_same_actions_lead_to_the_same_game(name):
    parallel, turns = parallel_env(name, **settings(name)), aec_env(name, **settings(name))
    taken = {agent: deque() for agent in parallel.possible_agents}
    match, gained = rollout(parallel, seed=9, taken=taken)
    turns.reset(seed=9)
    total = dict.fromkeys(turns.possible_agents, 0.0)
    for agent in turns.agent_iter():
        _, reward, over, _, _ = turns.last()
        total[agent] += reward
        turns.step(None if over else taken[agent].popleft())
    assert turns.match.events == match.events
    assert list(total.values()) == pytest.approx(gained)


def test_one_seat_among_strategies_is_the_game_that_play_plays():
    others = ["TitForTat", "Parasite", "Pavlov"]
    env = seat_env("commons", opponents=others, seat=1, rules={"duration": 20}, name="full")
    env.reset(seed=3)
    env.reset()
    over = False
    while not over:
        _, _, over, _, _ = env.step({"contribution": [1.0], "lobby": [0.5], "vote": 0})

    def full(question):
        return {"contribution": 1.0, "lobby": 0.0} | ({"vote": None} if question.view.may_vote else {})

    rules = GAMES["commons"].rules(duration=20)
    match = ostrom.play(["TitForTat", full, "Parasite", "Pavlov"], rules=rules, seed=3, number=1)
    assert env.match.events == match.events
    assert env.match.names == match.names


@pytest.mark.parametrize("name", ["commons", "contribute_punish", "repeated", "harvest", "ultimatum"])
def test_gains_sum_up_to_the_final(name):
    match, gained = rollout(parallel_env(name, **settings(name)), seed=2)
    start = match.rules.start if name == "contribute_punish" else 0
    finals = match.game.finals(match.events)
    assert gained == pytest.approx([final - start for final in finals])
    again, whole = rollout(parallel_env(name, reward="final", **settings(name)), seed=2)
    assert again.events == match.events
    assert whole == pytest.approx(finals)


def test_ranks_run_from_one_to_zero_and_ties_share():
    match, won = rollout(parallel_env("volunteers", seats=4, reward="rank"), seed=1)
    finals = match.game.finals(match.events)
    assert sum(won) == pytest.approx(2.0)
    assert [finals.index(max(finals)), finals.index(min(finals))] == [won.index(max(won)), won.index(min(won))]
    tied, won = rollout(parallel_env("stag_hunt", reward="rank"), seed=1)
    assert (len(set(tied.game.finals(tied.events))) > 1) or won == [0.5, 0.5]


def test_a_masked_option_becomes_the_declared_fallback_and_is_marked():
    env = parallel_env("commons", seats=4, rules={"duration": 5})
    _, infos = env.reset(seed=1)
    assert infos["seat_2"]["action_mask"]["vote"].tolist() == [1, 1, 1, 1]
    options = env.setting.spaces.actions[2].parts["vote"].options
    assert 2 not in options
    aimed = parallel_env("contribute_punish", seats=3, rules={"rounds": 2})
    _, infos = aimed.reset(seed=1)
    assert {info["phase"] for info in infos.values()} == {"contribution"}
    assert infos["seat_0"]["action_mask"]["punishment.target"].tolist() == [1, 0, 0]


@pytest.mark.slow
def test_amounts_are_divided_into_levels_on_request():
    env = parallel_env("public_goods", levels=5)
    assert env.action_space("seat_0") == gymnasium.spaces.Discrete(5)
    env.reset(seed=0)
    env.step({"seat_0": 4, "seat_1": 0})
    given = [decision.answer.value for decision in env.match.decisions]
    assert given == [env.setting.rules.endowment, 0.0]
    one = seat_env("commons", opponents=["TitForTat", "Pavlov"], levels=3)
    one.reset(seed=1)
    assert one.action_masks().dtype == bool
    assert one.action_masks().shape == (int(one.action_space.nvec.sum()),)


def test_an_answer_is_decomposed_and_composed():
    spec = Fields({"give": Amount(0, 4, whole=True), "vote": Choice((None, 2)), "at": stepped(0.0, 1.0, 0.25)})
    assert list(parts_of(spec)) == ["give", "vote", "at"]
    assert compose(spec, {"give": 3, "vote": None, "at": 0.5}) == {"give": 3, "vote": None, "at": 0.5}
    aimed = Aimed((1, 2), 3)
    assert compose(aimed, {"target": None, "spend": 2}) == {"target": None, "spend": 0}
    assert [amount_at(stepped(0.0, 1.0, 0.25), level) for level in (0.0, 0.4, 1.0)] == [0.0, 0.5, 1.0]
    assert amount_at(Amount(1, 3, whole=True), 0.5) == 2


def test_an_illegal_answer_is_never_made_legal():
    env = parallel_env("repeated", rules={"rounds": 2})
    env.reset(seed=0)
    assert env._episode.answer(0, 7) is False
    assert env._episode.answer(1, 1) is True
    decisions = [decision.answer for decision in env._episode.decisions]
    assert decisions[0].provenance is Provenance.DEFAULTED
    assert decisions[1] == Answer(1)


def test_invalid_arguments_are_refused():
    with pytest.raises(InputError, match="there is no reward 'points'; it must be one of gain, final, rank"):
        parallel_env("repeated", reward="points")
    with pytest.raises(InputError, match="quotes asks no numeric question"):
        parallel_env("quotes")
    with pytest.raises(InputError, match="seat 1 of dictator is never asked"):
        seat_env("dictator", seat=1)
    with pytest.raises(InputError, match="invalid rules: rounds"):
        parallel_env("contribute_punish", rules={"rounds": 0})
    with pytest.raises(InputError, match="call reset first"):
        parallel_env("repeated").render()
    env = parallel_env("repeated")
    env.reset(seed=1)
    with pytest.raises(InputError, match="no action for seat_1"):
        env.step({"seat_0": 1})


def test_every_number_of_a_view_has_a_name_and_history_is_added():
    env = parallel_env("repeated", rules={"rounds": 3}, memory=2)
    seen, _ = env.reset(seed=0)
    place = {name: index for index, name in enumerate(env.observation_names)}
    assert seen["seat_0"][place["history[-1].actions[0]"]] == -1
    seen, *_ = env.step({"seat_0": 1, "seat_1": 0})
    assert seen["seat_0"][place["history[-1].actions[0]"]] == 1
    assert seen["seat_0"][place["history[-1].actions[1]"]] == 0
    assert seen["seat_0"][place["round"]] == 2
    assert np.array_equal(seen["seat_1"][place["phase=choice"]], 1)


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("gymnasium", "pettingzoo"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import ostrom.environments
try:
    ostrom.environments.parallel_env
except ostrom.InputError as error:
    print(error)
"""


def test_without_the_extra_one_line_names_it():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("which is not installed: pip install 'ostrom[rl]'")
    assert len(done.stdout.strip().splitlines()) == 1


def haggling():
    load_file(Path(__file__).parents[1] / "haggling.py")
    return GAMES["haggling"]


def test_a_history_has_as_many_entries_as_the_memory_though_random_play_ends_early():
    env = parallel_env(haggling(), memory=4)
    assert [name for name in env.observation_names if name.startswith("offers")] == [
        "offers[-1]",
        "offers[-2]",
        "offers[-3]",
        "offers[-4]",
    ]
    longer = parallel_env(haggling(), memory=9)
    assert "offers[-9]" in longer.observation_names


def test_short_texts_are_observed_and_others_are_named():
    env = seat_env(haggling(), opponents=["Fair"], seat=1)
    observation, _ = env.reset(seed=1)
    place = {name: index for index, name in enumerate(env.observation_names)}
    assert {"role=proposer", "role=responder", "good=apples", "good=pears", "good=quinces"} <= set(place)
    assert (observation[place["role=responder"]], observation[place["role=proposer"]]) == (1.0, -1.0)
    assert sum(observation[place[f"good={good}"]] == 1.0 for good in ("apples", "pears", "quinces")) == 1
    assert env.dropped_names == ()


def test_gains_that_come_at_the_end_alone_are_named():
    assert "until the game is over" in parallel_env(haggling(), reward="gain").reward_note
    assert parallel_env(haggling(), reward="final").reward_note == ""
    assert parallel_env("commons", rules={"duration": 5}, seats=3).reward_note == ""


def test_environments_name_roles():
    env = seat_env("trust", opponents=["fehr-schmidt"], seat="returner")
    assert (env._seat, env.roles) == (1, ("sender", "returner"))
    _, info = env.reset(seed=1)
    assert info["role"] == "returner"
    table = parallel_env("trust")
    _, infos = table.reset(seed=1)
    assert [infos[agent]["role"] for agent in table.agents] == ["sender", "returner"]
    with pytest.raises(InputError, match=r"no seat banker.*with the roles sender, returner"):
        seat_env("trust", opponents=["fehr-schmidt"], seat="banker")
    assert seat_env("commons", opponents=["Pavlov"]).roles == ()
