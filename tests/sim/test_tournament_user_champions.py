"""A user's own champion in a tournament plays what it plays in a single game, and what an equal built-in one plays."""

import json

import pytest

from ostrom.core import InputError, PlayerFault
from ostrom.findings.tournament import describe
from ostrom.games.commons import CommonsRules
from ostrom.games.commons.players import CHAMPIONS, Champion
from ostrom.players.roster import choose, load_players_file
from ostrom.sim import jax_engine
from ostrom.sim.tournament import tournament
from support import entry_of

RULES = CommonsRules(duration=8)
TWINS = '''
from ostrom import Champion, register_champion


@register_champion
class MyDice(Champion):
    """Gives at random. And says no more."""

    def decide(self, ctx):
        return ctx.draw()


@register_champion
class MyLobbyist(Champion):
    """Gives 0.9 and lobbies."""

    def decide(self, ctx):
        return 0.9

    def lobby(self, ctx):
        return -0.05 * ctx.capital


@register_champion
class MyJudge(Champion):
    """Gives everything and votes."""

    def decide(self, ctx):
        return 1.0

    def vote_exclusion(self, ctx):
        last = ctx.history[-3:]
        means = {}
        for seat in ctx.others:
            given = [turn[seat] for turn in last]
            means[seat] = sum(given) / len(given) if given else 1.0
        low = min(ctx.others, key=lambda seat: (means[seat], ctx.capitals[seat], seat))
        return low if means[low] < 0.3 else None
'''
BUILT_IN_TWIN = {"MyDice": "RandomPlayer", "MyLobbyist": "Capitaliste", "MyJudge": "Justicier"}


@pytest.fixture
def twins(tmp_path, monkeypatch):
    """A players file of twins of built-in champions, registered for one test."""
    monkeypatch.setattr(CHAMPIONS, "_entries", dict(CHAMPIONS._entries))
    file = tmp_path / "my_twins.py"
    file.write_text(TWINS)
    assert load_players_file(file) == list(BUILT_IN_TWIN)
    return file


def document(names, **how):
    settings = {"games": 3, "seed": 21, "rules": RULES, "workers": 1}
    result = tournament(choose(names), **(settings | how))
    found = describe(result).as_record()
    found.pop("seconds")
    found.pop("remark")  # that too few can vote is known of rows alone: what plain Python does shows when it plays
    seated = [name.partition(":")[0] for name in names]
    assert found.pop("plain_python") == [name for name in seated if name in BUILT_IN_TWIN]
    text = json.dumps(found, allow_nan=False)
    for mine, theirs in BUILT_IN_TWIN.items():
        text = text.replace(mine, theirs)
    return text


@pytest.mark.parametrize(
    "table",
    [
        ["MyDice", "Pavlov", "Parasite", "GenerousTFT"],
        ["MyLobbyist", "Parasite", "Pragmatique", "Apprenant"],
        ["MyDice", "MyLobbyist", "AlwaysBetray", "MyJudge", "Parasite", "Gradual"],
    ],
)
@pytest.mark.parametrize("group_size", [None, 3])
@pytest.mark.usefixtures("twins")
def test_a_twin_in_plain_python_changes_nothing(table, group_size):
    built_in = [BUILT_IN_TWIN.get(name, name) for name in table]
    assert document(table, group_size=group_size) == document(built_in, group_size=group_size)


@pytest.mark.usefixtures("twins")
def test_a_judge_in_plain_python_votes_together_with_a_built_in_one():
    rules, table = CommonsRules(turns=4), ["MyJudge", "AlwaysBetray", "Justicier", "Gradual"]
    found = {row.name: row for row in tournament(choose(table), games=2, seed=1, rules=rules, workers=1).standings}
    # Two votes in turn 2 exclude AlwaysBetray; left with the capital of two turns, it cannot win.
    assert found["AlwaysBetray"].rank == 4
    assert found["MyJudge"].mean_final.value == found["Justicier"].mean_final.value


@pytest.mark.usefixtures("twins")
def test_judges_in_plain_python_exclude_as_the_built_in_ones_do():
    assert document(["MyJudge:2", "AlwaysBetray", "Gradual"]) == document(["Justicier:2", "AlwaysBetray", "Gradual"])


def test_two_processes_find_the_champions_of_a_players_file(twins):
    table = ["MyDice", "MyLobbyist", "Parasite", "Pavlov"]
    assert document(table, workers=2, chunk_size=5, group_size=3, players_files=[twins]) == document(
        table, group_size=3
    )


@pytest.mark.parametrize("chunk_size", [1, 7, 4096])
@pytest.mark.usefixtures("twins")
def test_the_chunk_size_does_not_matter_to_plain_python(chunk_size):
    table = ["MyDice", "MyJudge:2", "Parasite", "Pavlov"]
    assert document(table, group_size=3, chunk_size=chunk_size) == document(table, group_size=3)


class Greedy(Champion):
    """Gives more than there is from turn 3 on."""

    def decide(self, ctx):
        return 1.7 if ctx.turn >= 3 else 1.0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_champion_that_breaks_the_rules_ends_the_tournament_by_name_and_turn(workers):
    with pytest.raises(PlayerFault, match=r"Greedy \(seat P2\) broke the rules in turn 3: contribution: 1.7"):
        tournament(
            [CHAMPIONS["Pavlov"], entry_of(Greedy)], games=4, seed=1, rules=CommonsRules(turns=5), workers=workers
        )


def test_jax_refuses_plain_python():
    assert jax_engine.load()
    with pytest.raises(InputError, match="Greedy plays in plain Python"):
        tournament([CHAMPIONS["Pavlov"], entry_of(Greedy)], games=4, seed=1, backend="jax")
