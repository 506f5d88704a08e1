"""What the Commons has compiled plays the games that its array form plays: the same moves, exclusions and ranks, and
where no power is taken the same amounts to the last bit."""

import builtins
import sys
from dataclasses import replace

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.core.step import stacked
from ostrom.findings.tournament import describe
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.champion import Champion
from ostrom.games.commons.players import CHAMPIONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.players.roster import choose
from ostrom.players.strategy import entry_of
from ostrom.sim.batch import Batch, kernel_of
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.plan import Plan, _play_compiled
from ostrom.sim.points import GivenTables
from ostrom.sim.tournament import tournament
from support import BUILT_IN

pytest.importorskip("numba")

CAST = [CHAMPIONS[name] for name in BUILT_IN]
ONE_TABLE = np.tile(np.arange(len(CAST))[:, None], (1, 60))


def mixed(seats, voters, games=150):
    """Seats filled at random; a share of them by the champion that votes."""
    drawn = np.random.default_rng(seats)
    seating = drawn.integers(0, len(CAST), (seats, games))
    seating[drawn.random(seating.shape) < voters] = BUILT_IN.index("Justicier")
    return seating


def both(rules, seating, first=0):
    games = np.arange(first, first + seating.shape[1])
    batch = Batch(COMMONS, rules, CAST, seating, games, 11)
    return play_batch(batch), _play_compiled(batch)


def assert_same(ours, theirs, *, exactly=True):
    assert np.array_equal(theirs.turns, ours.turns)
    assert np.array_equal(theirs.turns_in, ours.turns_in)
    assert np.array_equal(theirs.figures["contribution"], ours.figures["contribution"])
    assert np.array_equal(theirs.wins, ours.wins)
    if exactly:
        assert np.array_equal(theirs.finals, ours.finals)
    assert np.allclose(theirs.finals, ours.finals, rtol=1e-9, atol=0.0)


@pytest.mark.slow
def test_all_sixteen_at_one_table():
    assert_same(*both(CommonsRules(), ONE_TABLE))


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_tables_in_which_seats_are_excluded(seats):
    ours, theirs = both(CommonsRules(duration=25), mixed(seats, 0.4))
    assert_same(ours, theirs)
    assert seats == 2 or (ours.turns_in < ours.turns).any()


@pytest.mark.parametrize(
    "settings",
    [
        {"lobbying": False, "votes_needed": 1},
        {"voting": False, "erosion": False, "alpha": 0.2, "sensitivity": 0.02},
        {"turns": 30, "endowment": 33.3, "golden_age_from": 0.6, "erosion_below": 0.6, "growth": 0.03},
    ],
    ids=str,
)
def test_variants_of_the_rules(settings):
    assert_same(*both(CommonsRules(**{"duration": 25, **settings}), mixed(5, 0.3)))


def test_other_powers_agree_to_rounding():
    assert_same(*both(CommonsRules(duration=25, erosion_intensity=1.7), mixed(4, 0.1)), exactly=False)


@pytest.mark.long
def test_very_long_games():
    assert_same(*both(CommonsRules(duration=700), mixed(3, 0.0, games=6)))


def test_rules_that_differ_from_game_to_game():
    points = [CommonsRules(duration=10 + point, alpha=point / 5, votes_needed=1 + point % 2) for point in range(5)]
    assert_same(*both(stacked(points, np.arange(150) % 5), mixed(4, 0.4)))


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 9, 16])
@pytest.mark.parametrize("voters", [0.0, 0.4])
def test_many_games(seats, voters):
    for settings in ({}, {"duration": 40, "votes_needed": 3}, {"duration": 30, "lobbying": False}):
        assert_same(*both(CommonsRules(**settings), mixed(seats, voters, 3000), first=10_000))


def found(workers, chunk_size, backend="compiled"):
    result = tournament(
        choose(), games=3, seed=4, group_size=2, backend=backend, workers=workers, chunk_size=chunk_size
    )
    assert result.backend == backend
    return describe(result).as_record()["standings"]


def test_a_tournament_depends_on_neither_chunks_nor_threads():
    whole = found(1, None)
    assert found(2, 7) == whole
    assert found(1, None, "numpy") == whole


class Own(Champion):
    """Gives half."""

    def decide(self, ctx):
        """Half."""
        return 0.5


class NearlySteady(type(CHAMPIONS["AlwaysCoop"].rows)):
    """Derives from a champion that is compiled, and may do otherwise."""


def test_what_is_not_compiled_is_played_over_arrays():
    for other in (Own, NearlySteady):
        cast = (*choose(["Pavlov"]), entry_of(other))
        assert kernel_of(COMMONS, cast) is None
        plan = Plan(COMMONS.name, (CommonsRules(),), GivenTables(cast, ((0, 1),), 10**6), 1)
        assert plan.fastest().backend == "numpy"
        with pytest.raises(InputError, match="no compiled form for these players"):
            tournament(cast, games=1, seed=1, backend="compiled")
    assert kernel_of(CONTRIBUTE_PUNISH, choose(game=CONTRIBUTE_PUNISH.name)) is None


def test_large_tournaments_are_played_by_what_is_compiled():
    plan = Plan(COMMONS.name, (CommonsRules(),), GivenTables(tuple(CAST), ((0, 1),), 10**6), 1)
    assert plan.fastest().backend == "compiled"
    few = Plan(COMMONS.name, (CommonsRules(),), GivenTables(tuple(CAST), ((0, 1),), 10), 1)
    assert few.fastest().backend == "numpy"


def test_a_large_tournament_without_the_compiler_says_once_how_to_get_it(monkeypatch):
    large = Plan(COMMONS.name, (CommonsRules(),), GivenTables(tuple(CAST), ((0, 1),), 10**6), 1)
    monkeypatch.setattr("ostrom.sim.plan.find_spec", lambda name: None)
    assert large.lacks_compiler
    assert not replace(large, backend="compiled").lacks_compiler
    played = tournament(choose(["Pavlov", "Parasite"]), games=2, seed=1, rules=CommonsRules(duration=3))
    for lacks in (True, False):
        (standings,) = describe(replace(played, lacks_compiler=lacks)).parts
        assert str(standings.caption).count("pip install 'ostrom[compiled]'") == lacks


@pytest.mark.parametrize(("seconds", "speed"), [(0.5, "5.0 million/s"), (500, "5,000/s"), (50_000, "50/s")])
def test_a_slow_tournament_says_its_decisions_per_second(seconds, speed):
    played = tournament(choose(["Pavlov", "Parasite"]), games=2, seed=1, rules=CommonsRules(duration=3))
    (standings,) = describe(replace(played, player_turns=2_500_000, seconds=seconds)).parts
    assert f", {speed}, numpy" in str(standings.caption)


def test_without_numba_arrays_play(monkeypatch):
    for name in [each for each in sys.modules if each.startswith("ostrom.games.commons.compiled")]:
        monkeypatch.delitem(sys.modules, name)
    imported = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "numba":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert kernel_of(COMMONS, CAST) is None
