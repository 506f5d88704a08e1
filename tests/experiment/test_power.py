"""`ostrom power` plans with the games of a pilot: what it promises is what experiments of that size show."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.contrasts import contrast, players_of, sums_of, t_interval
from ostrom.analysis.intervals import ALIKE, Difference, Ratio
from ostrom.core import InputError
from ostrom.experiment.power import NarrowInterval, PlayersDiffer, chance_at, moved, plan_games


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
    return moved(parts, wanted - contrast(parts, "a", "b").value, "a")


def test_a_contrast_is_the_paired_t_interval_where_both_sit_in_every_game():
    parts = pilot()
    top = {player: sums_of(parts, player)[0, 0] for player in "ab"}
    paired = top["a"] - top["b"]
    half = 1.9905 * paired.std(ddof=1) / np.sqrt(80)
    found = contrast(parts, "a", "b")
    assert found.value == pytest.approx(paired.mean())
    assert (found.low, found.high) == pytest.approx((paired.mean() - half, paired.mean() + half), abs=1e-3)


def test_a_contrast_of_a_player_who_is_not_there_is_refused():
    with pytest.raises(InputError, match="there is no c here; there are a, b"):
        contrast(pilot(), "a", "c")


def test_what_is_moved_differs_by_what_is_wanted():
    parts = pilot()
    assert contrast(shifted(parts, 2.5), "a", "b").value == pytest.approx(2.5)
    both = Difference(parts, pilot(seed=2))
    assert contrast(moved(both, 1.0, "a"), "a", "b").value == pytest.approx(contrast(both, "a", "b").value + 1)


def test_the_plan_is_near_the_formula_and_its_chance_near_the_promise():
    parts = shifted(pilot(), 1.0)
    planned = plan_games(PlayersDiffer(1.0, "a", "b"), [parts], repetitions=600)
    spread = (sums_of(parts, "a") - sums_of(parts, "b"))[0, 0].std()
    assert planned.games == pytest.approx((2.802 * spread) ** 2, rel=0.15)
    assert planned.low < planned.games < planned.high
    # Repeated with draws of another seed.
    assert chance_at(PlayersDiffer(1.0, "a", "b"), [parts], planned.games, 1500, seed=9) == pytest.approx(0.8, abs=0.04)


def test_a_difference_that_is_not_there_is_found_in_few_experiments():
    parts = shifted(pilot(), 0.0)
    assert chance_at(PlayersDiffer(1.0, "a", "b"), [parts], 80, 1000) < 0.05


def test_an_interval_gets_narrow_enough_with_the_games_planned():
    parts = pilot()
    goal = NarrowInterval(1.5, players_of(parts))
    planned = plan_games(goal, [parts], repetitions=100)
    assert chance_at(goal, [parts], planned.games // 2, 30) < 0.2
    assert chance_at(goal, [parts], planned.games * 2, 30) > 0.9


def test_many_experiments_at_once_are_what_each_is_alone():
    parts = pilot()
    a, b = sums_of(parts, "a"), sums_of(parts, "b")
    picked = np.random.default_rng(3).integers(80, size=(5, 40))
    whole = t_interval(a[..., picked], b[..., picked])
    for row, games in enumerate(picked):
        assert whole[:, row] == pytest.approx(t_interval(a[..., games], b[..., games]))


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
        assert (found.value, found.low, found.reason) == (1.0, None, f"{games} games: an interval takes at least 6")
    assert contrast(pilot(6), "a", "b").low is not None
    assert contrast(pilot(5), "a", "b").low is None


def test_a_contrast_of_games_that_all_agree_has_no_interval():
    found = contrast(constant(12, a=0.3, b=0.1), "a", "b")
    assert (found.low, found.reason) == (None, ALIKE)
    same = contrast(constant(12, a=0.3, b=0.3), "a", "b")
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
