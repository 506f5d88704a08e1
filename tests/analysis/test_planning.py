"""`ostrom power` plans with the games of a pilot: what it promises is what experiments of that size show."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.contrasts import clustered_error, contrast, difference_of_players, players_of, sums_of
from ostrom.analysis.intervals import ALIKE, Difference, Ratio
from ostrom.analysis.planning import NarrowInterval, PlayersDiffer, chance_at, plan_games, shift_parts
from ostrom.core import InputError


def pilot(games=80, seed=1, gap=1.0):
    """Two players whose figures share what the game brings both."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 3, games)
    rows = [
        (f"g{game}", player, float(shared[game] + rng.normal(0, 2) + (gap if player == "a" else 0)), 1)
        for game in range(games)
        for player in ("a", "b")
    ]
    frame = pl.DataFrame(rows, schema=["game", "player", "top", "bottom"], orient="row")
    return Ratio(frame, ("player",), [f"g{game}" for game in range(games)])


def same_in_all_games():
    rows = pl.DataFrame({"game": ["g0", "g1", "g2"], "player": "a", "top": 1.0, "bottom": 1})
    return Ratio(rows, ("player",), ["g0", "g1", "g2"])


def shifted(parts, wanted):
    return shift_parts(parts, wanted - contrast(parts, "a", "b").value, "a")


def test_a_contrast_is_nearly_the_paired_t_interval_where_both_sit_in_every_game():
    parts = pilot()
    top = {player: sums_of(parts, player)[0, 0] for player in "ab"}
    paired = top["a"] - top["b"]
    half = 1.9905 * paired.std(ddof=1) / np.sqrt(80)
    found = contrast(parts, "a", "b")
    assert found.value == pytest.approx(paired.mean())
    assert found.high - found.value == pytest.approx(found.value - found.low, rel=0.01)
    assert found.high - found.value == pytest.approx(half, rel=0.2)
    assert clustered_error(sums_of(parts, "a"), sums_of(parts, "b")) == pytest.approx(half / 1.9905, rel=1e-4)


def rich(games, seed, most):
    """Four players with a game that is now and then rich for all, and once as rich as that for the last of them."""
    drawn = np.random.default_rng(seed)
    table = drawn.lognormal(0, 1, (games, 1)) * 10
    finals = table + drawn.normal(0, 1, (games, 4))
    finals[0, 3] = most
    rows = [(f"g{game}", "abcd"[place], finals[game, place], 1) for game in range(games) for place in range(4)]
    frame = pl.DataFrame(rows, schema=["game", "player", "top", "bottom"], orient="row")
    return Ratio(frame, ("player",), [f"g{game}" for game in range(games)])


def test_what_a_game_moves_for_both_players_cancels_out():
    parts = rich(60, 1, 10.0)
    alone = parts.estimates().filter(player="a").select(pl.col("high") - pl.col("low")).item()
    found = contrast(parts, "a", "b")
    assert found.high - found.low < 0.75 * alone  # what is borrowed, six games of each, does not cancel out


def test_a_contrast_knows_of_the_rich_games_of_others():
    quiet, wild = (contrast(rich(20, 1, most), "a", "b") for most in (10.0, 10_000.0))
    assert quiet.value == wild.value
    assert wild.high - wild.low > 2 * (quiet.high - quiet.low)


def test_a_contrast_at_a_higher_confidence_is_wider():
    parts = rich(60, 1, 10.0)
    usual, higher = contrast(parts, "a", "b"), contrast(parts, "a", "b", 0.99)
    assert usual.value == higher.value
    assert 1.15 < (higher.high - higher.low) / (usual.high - usual.low) < 2


def test_contrasts_of_heavy_tails_hold_the_difference_in_95_of_100():
    drawn, held = np.random.default_rng(4), 0
    for _ in range(200):
        every = np.ones((1, 2, 4, 30))
        every[0, 0] = drawn.lognormal(0, 1.2, (4, 30))
        every *= drawn.random((1, 1, 4, 30)) < 0.6
        low, high = difference_of_players(every, 0, 1).fit.interval()
        held += low <= 0 <= high
    assert 180 <= held <= 199


def test_luck_that_players_of_a_game_share_cancels_out_of_their_contrast():
    drawn = np.random.default_rng(5)
    every = np.ones((1, 2, 4, 40))
    every[0, 0] = 100 * drawn.standard_normal(40) + drawn.standard_normal((4, 40))
    low, high = difference_of_players(every, 0, 1).fit.interval()
    assert high - low < 1.3 * 2 * 1.96 * np.sqrt(2 / 40)


def test_a_contrast_of_a_player_who_is_not_there_is_refused():
    with pytest.raises(InputError, match="there is no player c in these games; the players are a, b"):
        contrast(pilot(), "a", "c")


def test_what_is_moved_differs_by_what_is_wanted():
    parts = pilot()
    assert contrast(shifted(parts, 2.5), "a", "b").value == pytest.approx(2.5)
    both = Difference(parts, pilot(seed=2))
    assert contrast(shift_parts(both, 1.0, "a"), "a", "b").value == pytest.approx(contrast(both, "a", "b").value + 1)


@pytest.mark.slow
def test_the_plan_is_near_the_formula_and_its_chance_near_the_promise():
    parts = shifted(pilot(), 1.0)
    planned = plan_games(PlayersDiffer(1.0, "a", "b"), [parts], repetitions=1500)
    spread = (sums_of(parts, "a") - sums_of(parts, "b"))[0, 0].std()
    assert planned.games == pytest.approx((2.802 * spread) ** 2, rel=0.15)
    assert planned.low < planned.games < planned.high
    # Repeated with draws of another seed.
    assert chance_at(PlayersDiffer(1.0, "a", "b"), [parts], planned.games, 1000, seed=9) == pytest.approx(0.8, abs=0.04)


@pytest.mark.slow
def test_a_difference_that_is_not_there_is_found_in_few_experiments():
    parts = shifted(pilot(), 0.0)
    assert chance_at(PlayersDiffer(1.0, "a", "b"), [parts], 80, 1000) < 0.05


@pytest.mark.slow
def test_an_interval_gets_narrow_enough_with_the_games_planned():
    parts = pilot()
    goal = NarrowInterval(1.5, players_of(parts))
    planned = plan_games(goal, [parts], repetitions=100)
    assert chance_at(goal, [parts], planned.games // 2, 30) < 0.2
    assert chance_at(goal, [parts], planned.games * 2, 30) > 0.9


@pytest.mark.parametrize(
    ("parts", "told"),
    [(pilot(games=1), "a pilot of 1 game does not show how much"), (same_in_all_games(), "the same in all games")],
)
def test_a_pilot_that_shows_no_spread_is_refused_in_one_line(parts, told):
    for plan in (lambda goal: plan_games(goal, [parts]), lambda goal: chance_at(goal, [parts], 20, 10)):
        with pytest.raises(InputError, match=told):
            plan(NarrowInterval(5.0, ["a"]))


def constant(games, **figures):
    """Players of whom every game tells the same."""
    rows = [(f"g{game}", player, top, 1) for game in range(games) for player, top in figures.items()]
    frame = pl.DataFrame(rows, schema=["game", "player", "top", "bottom"], orient="row")
    return Ratio(frame, ("player",), [f"g{game}" for game in range(games)], share=True)


def test_a_contrast_takes_as_many_games_as_other_intervals():
    for games in (2, 5):
        found = contrast(constant(games, a=1.0, b=0.0), "a", "b")
        assert (found.value, found.low, found.reason) == (1.0, None, f"{games} games: an interval needs at least 6")
    assert contrast(pilot(6), "a", "b").low is not None
    assert contrast(pilot(5), "a", "b").low is None


def test_a_contrast_of_games_that_all_agree_has_no_interval():
    found = contrast(constant(12, a=0.3, b=0.1), "a", "b")
    assert (found.low, found.reason) == (None, ALIKE)
    same = contrast(constant(12, a=0.3, b=0.3), "a", "b")
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
