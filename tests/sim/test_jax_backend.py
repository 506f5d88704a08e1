"""JAX plays the games that NumPy plays, in double precision: the same moves and exclusions, and every capital within a
billionth."""

import sys

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.roster import choose
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch
from ostrom.sim.tournament import tournament
from support import BUILT_IN

pytestmark = pytest.mark.slow

GAMES = 2_000
CAST = [CHAMPIONS[name] for name in BUILT_IN]
ONE_TABLE = np.tile(np.arange(len(CAST))[:, None], (1, GAMES))
SMALL = [CHAMPIONS[name] for name in ("Pavlov", "Parasite", "Justicier", "RandomPlayer", "Gradual")]


def mixed(members, seats, *, voters=0.0, voter=0, seed=1):
    """Seats filled at random; a share of them by champions that vote."""
    drawn = np.random.default_rng(seed)
    seating = drawn.integers(0, members, (seats, GAMES))
    seating[drawn.random(seating.shape) < voters] = voter
    return seating


def both(rules, cast, seating, *, seed, single=False):
    batch = Batch(COMMONS, rules=rules, cast=cast, seating=seating, games=np.arange(GAMES), seed=seed)
    return numpy_engine.play_batch(batch), jax_engine.play_batch(batch, single=single)


def assert_alike(ours, theirs):
    np.testing.assert_allclose(theirs.finals, ours.finals, rtol=1e-9, atol=0.0)
    np.testing.assert_allclose(theirs.figures["contribution"], ours.figures["contribution"], rtol=1e-9, atol=1e-12)
    assert np.array_equal(theirs.turns, ours.turns)
    assert np.array_equal(theirs.turns_in, ours.turns_in)
    assert np.array_equal(theirs.wins, ours.wins)


def test_all_sixteen_at_one_table():
    assert_alike(*both(CommonsRules(), CAST, ONE_TABLE, seed=7))


def test_random_seatings_in_which_seats_are_excluded():
    seating = mixed(len(CAST), 7, voters=0.35, voter=BUILT_IN.index("Justicier"))
    ours, theirs = both(CommonsRules(duration=30), CAST, seating, seed=8)
    assert_alike(ours, theirs)
    excluded = (ours.turns_in < ours.turns).any(axis=0)
    assert excluded.mean() > 0.3


@pytest.mark.parametrize(
    "settings",
    [
        {"duration": 20, "lobbying": False},
        # Each is compiled anew: without voting nothing is left that the other two have not shown.
        pytest.param({"duration": 20, "voting": False, "erosion_intensity": 1.7}, marks=pytest.mark.long),
        {"turns": 25, "erosion": False, "alpha": 0.2},
    ],
    ids=["no lobbying", "no voting, severe erosion", "a known end, no erosion"],
)
def test_variants_of_the_rules(settings):
    assert_alike(*both(CommonsRules(**settings), SMALL, mixed(len(SMALL), 4, seed=3), seed=9))


def test_single_precision_is_finite_and_near_on_average():
    ours, theirs = both(CommonsRules(turns=40), SMALL, ONE_TABLE[: len(SMALL)], seed=7, single=True)
    assert np.isfinite(theirs.finals).all()
    assert theirs.finals.mean(axis=1) == pytest.approx(ours.finals.mean(axis=1), rel=1e-3)
    assert theirs.figures["contribution"].mean(axis=1) == pytest.approx(
        ours.figures["contribution"].mean(axis=1), abs=1e-3
    )


def test_a_tournament_stands_alike_on_both_backends():
    how = {"games": 30, "seed": 4, "group_size": 3, "rules": CommonsRules(duration=20)}
    names = ["Pavlov", "Parasite", "Justicier:2", "RandomPlayer", "Gradual"]
    ours, theirs = (tournament(choose(names), backend=backend, **how) for backend in ("numpy", "jax"))
    assert (theirs.games, theirs.backend) == (ours.games, "jax")
    assert theirs.player_turns == ours.player_turns
    found = {row.name: row for row in theirs.standings}
    for row in ours.standings:
        assert found[row.name].mean_final.value == pytest.approx(row.mean_final.value, rel=1e-9)
        assert found[row.name].win_rate.value == row.win_rate.value


def test_games_asked_for_alone_are_those_of_the_batch():
    seating = mixed(len(SMALL), 4, seed=3)
    rules = CommonsRules(duration=20, lobbying=False)
    whole = jax_engine.play_batch(Batch(COMMONS, rules, SMALL, seating, np.arange(GAMES), 9))
    few = np.asarray([1_999, 0, 432])
    alone = jax_engine.play_batch(Batch(COMMONS, rules, SMALL, seating[:, few], few, 9))
    assert np.array_equal(alone.turns, whole.turns[few])
    assert alone.finals == pytest.approx(whole.finals[:, few], rel=1e-9)


def test_without_jax_the_backend_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(InputError, match=r"pip install 'ostrom\[jax\]'"):
        tournament(choose(["Pavlov", "Parasite"]), games=1, seed=1, backend="jax")


def test_standings_summed_up_on_the_device_are_those_of_its_games():
    how = {"games": 40, "seed": 6, "rules": CommonsRules(duration=8)}
    ours, theirs = (tournament(choose(["Pavlov", "Parasite"]), backend=backend, **how) for backend in ("numpy", "jax"))
    assert (theirs.games, theirs.player_turns) == (ours.games, ours.player_turns)
    for here, there in zip(ours.standings, theirs.standings, strict=True):
        assert (there.rank, there.name, there.games, there.seats) == (here.rank, here.name, here.games, here.seats)
        pairs = [(here.win_rate, there.win_rate), (here.mean_final, there.mean_final)]
        pairs += [
            (here.median_final, there.median_final),
            (here.figures["contribution"], there.figures["contribution"]),
        ]
        for one, other in pairs:
            assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), rel=1e-9)
