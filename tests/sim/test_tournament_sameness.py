"""A seed determines a tournament byte for byte, for any chunks and workers."""

import json

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.findings.tournament import describe
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.plan import Plan
from ostrom.sim.tournament import tournament
from support import BUILT_IN, end_of, turns_of

RULES = CommonsRules(duration=15)
MIXED = ["RandomPlayer", "Apprenant", "Justicier:2", "Parasite", "Capitaliste", "Pavlov"]


def document(names=MIXED, **how):
    """The tournament's JSON without its time."""
    settings = {"games": 3, "seed": 11, "rules": RULES, "group_size": 4, "workers": 1}
    found = describe(tournament(choose(names), **(settings | how))).as_record()
    assert found.pop("seconds") > 0
    return json.dumps(found, allow_nan=False)


@pytest.fixture(scope="module")
def whole():
    return document()


def test_two_runs_agree(whole):
    assert document() == whole


@pytest.mark.parametrize("chunk_size", [pytest.param(1, marks=pytest.mark.slow), 7, 4096])
def test_the_chunk_size_does_not_matter(whole, chunk_size):
    assert document(chunk_size=chunk_size) == whole


@pytest.mark.parametrize("chunk_size", [1, 7, 4096])
def test_the_chunk_size_does_not_matter_where_all_sit_at_one_table(chunk_size):
    names = list(BUILT_IN)
    assert document(names, group_size=None, games=15, chunk_size=chunk_size) == document(
        names, group_size=None, games=15
    )


@pytest.mark.slow
@pytest.mark.parametrize("chunk_size", [7, 40])
def test_two_processes_find_what_one_finds(whole, chunk_size):
    assert document(workers=2, chunk_size=chunk_size) == whole


def test_another_seed_gives_another_tournament(whole):
    assert document(seed=12) != whole


def test_progress_counts_every_game_once():
    done = []
    result = tournament(
        choose(MIXED), games=3, seed=11, rules=RULES, group_size=4, workers=1, chunk_size=7, progress=done.append
    )
    assert sum(done) == result.games == 35 * 3
    assert set(done[:-1]) == {7}


def test_every_game_of_a_tournament_is_the_game_played_alone():
    result = tournament(choose(MIXED), games=2, seed=5, rules=RULES, group_size=4, workers=1)
    batch = Plan(COMMONS.name, (RULES,), result.schedule, 5).batch(0, result.games)
    played = play_batch(batch)
    decisions = 0
    for game in range(result.games):
        names = [entry.name for entry in result.schedule.table(game)]
        match = ostrom.play(names, rules=RULES, seed=5, number=game)
        assert end_of(match).capitals == played.finals[:, game].tolist()
        assert len(turns_of(match)) == played.turns[game]
        decisions += len(match.decisions)
    assert result.player_turns == decisions


def test_the_shadow_does_not_fall_alike_on_all_games():
    result = tournament(choose(MIXED), games=2, seed=5, rules=RULES, group_size=4, workers=1)
    batch = Plan(COMMONS.name, (RULES,), result.schedule, 5).batch(0, result.games)
    assert len(np.unique(play_batch(batch).turns)) > 10


@pytest.mark.parametrize(
    "how",
    [{"workers": 0}, {"workers": -1}, {"chunk_size": 0}, {"seed": -1}, {"seed": 2**64}, {"backend": "cuda"}],
    ids=str,
)
def test_settings_that_cannot_be_are_refused(how):
    with pytest.raises(InputError):
        document(**how)
