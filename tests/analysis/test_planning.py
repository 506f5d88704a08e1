"""`ostrom power` plans with the games of a pilot: what it promises is what experiments of that size show."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.contrasts import clustered_error, contrast, difference_of_players, players_of, sums_of
from ostrom.analysis.intervals import ALIKE, SEED, Difference, Ratio, weights
from ostrom.analysis.planning import NarrowInterval, PlayersDiffer, chance_at, plan_games, shift_parts
from ostrom.analysis.studentised import picked_from_pool
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
    assert found.high - found.value == pytest.approx(found.value - found.low)
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
        found = difference_of_players(every, 0, 1, resamples=199)
        held += abs(found.value) <= found.reach
    assert 180 <= held <= 199


def test_two_ratios_of_two_players_are_resampled_as_each_game_drawn_anew():
    # The plainest way to say the same: every resample put together game by game.
    drawn = np.random.default_rng(5)
    every = drawn.integers(0, 5, (2, 2, 3, 12)) + drawn.random((2, 2, 3, 12)) + 0.1
    found = difference_of_players(every, 0, 2)

    def figure(sums):
        return sums[0, 0].sum() / sums[0, 1].sum() - sums[1, 0].sum() / sums[1, 1].sum()

    def influence(sums):
        ratios = [top.sum() / bottom.sum() for top, bottom in sums]
        parts = [(top - ratio * bottom) / bottom.sum() for (top, bottom), ratio in zip(sums, ratios, strict=True)]
        return parts[0] - parts[1]

    centred = every.copy()
    for player in range(3):
        for ratio in range(2):
            top, bottom = every[ratio, :, player]
            centred[ratio, 0, player] = top - top.sum() / bottom.sum() * bottom
    pool = np.concatenate([centred[:, :, player] for player in range(3)], axis=2)
    sizes = []
    picks = [picked_from_pool(36, 1000, SEED + place) for place in range(2)]
    for resample, counts in enumerate(weights(12)):
        games = np.repeat(np.arange(12), counts.astype(int))
        sides, own = [], []
        for (picked, taken), player in zip(picks, (0, 2), strict=True):
            borrowed = pool[:, :, picked[resample][taken[resample] > 0]]
            sides.append(np.concatenate([centred[:, :, player][:, :, games], borrowed], axis=2))
            own.append(influence(sides[-1]))
        variance = sum(np.sum(one**2) * len(one) / (len(one) - 1) for one in own) - 2 * own[0][:12] @ own[1][:12]
        sizes.append(abs(figure(sides[0]) - figure(sides[1])) / variance**0.5)
    share = 12 / 18
    seen = 0.0
    for player in (0, 2):
        weight = np.r_[np.ones(12), np.full(36, 6 / 36)]
        both = np.concatenate([centred[:, :, player], pool], axis=2)
        bottoms = (both[:, 1] * weight).sum(axis=1)
        shifts = (both[:, 0] * weight).sum(axis=1) / bottoms
        parts = [
            (top - shift * bottom) / whole for (top, bottom), shift, whole in zip(both, shifts, bottoms, strict=True)
        ]
        seen += np.sum(weight * (parts[0] - parts[1]) ** 2) * 18 / 17 / share
    seen -= 2 * share * influence(every[:, :, 0]) @ influence(every[:, :, 2])
    assert found.reach == pytest.approx(np.quantile(sizes, 0.95, method="higher") * seen**0.5)
    assert found.value == pytest.approx(figure(every[:, :, 0]) - figure(every[:, :, 2]))


def test_a_contrast_of_a_player_who_is_not_there_is_refused():
    with pytest.raises(InputError, match="there is no c here; there are a, b"):
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
        assert (found.value, found.low, found.reason) == (1.0, None, f"{games} games: an interval takes at least 6")
    assert contrast(pilot(6), "a", "b").low is not None
    assert contrast(pilot(5), "a", "b").low is None


def test_a_contrast_of_games_that_all_agree_has_no_interval():
    found = contrast(constant(12, a=0.3, b=0.1), "a", "b")
    assert (found.low, found.reason) == (None, ALIKE)
    same = contrast(constant(12, a=0.3, b=0.3), "a", "b")
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
