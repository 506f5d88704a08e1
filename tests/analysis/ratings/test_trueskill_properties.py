"""TrueSkill: its properties, and agreement with the `trueskill` package."""

import math
import sys

import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr, ndtri

from ostrom.analysis.ratings import EMPTY_SEAT, GameResults, Skills, TrueSkill, multipass, rate, results_of
from ostrom.analysis.ratings.methods.multipass import compiled, in_arrays, orders, skills_after, waves
from ostrom.analysis.ratings.trueskill import outcomes, scratch
from ostrom.core import InputError
from sampling import sampled

MODEL = TrueSkill(draw_probability=0.3)
DAYLIGHT = 1e-12


def cut(mean, *, drawn, margin=1.0, variance=1.0):
    """V and W at unit variance."""
    mean = np.asarray(mean, dtype=float)
    shift, taken = np.empty_like(mean), np.empty_like(mean)
    doubled = np.full_like(mean, 2 * variance)
    outcomes(np.full((1, len(mean)), drawn), margin)[0].cut(mean, doubled, shift, taken, scratch(len(mean)))
    return shift, taken


def rated(mu, sigma, tied, model=MODEL):
    mu, sigma = np.asarray(mu, dtype=float)[:, None], np.asarray(sigma, dtype=float)[:, None]
    after = rate(model, Skills(sigma**-2, mu * sigma**-2), np.asarray(tied, dtype=bool)[:, None])
    return (after.weight / after.precision)[:, 0], (after.precision**-0.5)[:, 0]


def test_a_win_moves_the_mean_by_the_hazard_of_the_normal_distribution_in_both_tails():
    mean = np.linspace(-40, 35, 301)
    x = mean - 1.0
    hazard = np.exp(-(x**2) / 2 - math.log(2 * math.pi) / 2 - log_ndtr(x))
    shift, taken = cut(mean, drawn=False)
    np.testing.assert_allclose(shift, hazard, rtol=1e-11)
    # The check itself is a difference of nearly equal numbers.
    np.testing.assert_allclose(taken, hazard * (hazard + x), rtol=1e-8, atol=1e-300)


def test_a_draw_has_the_moments_of_the_distribution_between_the_margins():
    u, width = np.linspace(-1, 1, 200_001, retstep=True)
    for mean in (-9.0, -2.5, -0.3, 0.0, 0.7, 4.0, 12.0):
        density = np.exp(-((u - mean) ** 2) / 2 + (max(abs(mean), 1) - 1) ** 2 / 2)
        density[[0, -1]] /= 2
        mass = density.sum() * width
        middle = (u * density).sum() * width / mass
        variance = (((u - middle) ** 2) * density).sum() * width / mass
        shift, taken = cut([mean], drawn=True)
        assert mean + shift[0] == pytest.approx(middle, abs=1e-7)
        assert 1 - taken[0] == pytest.approx(variance, abs=1e-7)


def test_upsets_beyond_all_bounds_give_numbers():
    for mean in (-1e3, -1e5, 1e3, 1e5):
        mu, sigma = rated([mean, 0.0, 5.0], [1.0, 1.0, 1.0], [False, True])
        assert np.isfinite(mu).all()
        assert (sigma > 0).all()


skills = st.lists(st.tuples(st.floats(-20, 40), st.floats(0.2, 9)), min_size=2, max_size=8)


@given(skills=skills, ties=st.lists(st.booleans(), min_size=7, max_size=7))
def test_without_drift_no_game_makes_a_skill_less_certain(skills, ties):
    mu, sigma = zip(*skills, strict=True)
    _, after = rated(mu, sigma, ties[: len(mu) - 1])
    assert (after <= np.asarray(sigma) * (1 + DAYLIGHT)).all()


@given(skills=skills)
def test_the_winner_gains_and_the_last_loses(skills):
    mu, sigma = zip(*skills, strict=True)
    after, _ = rated(mu, sigma, [False] * (len(mu) - 1))
    assert after[0] >= mu[0] - 1e-9
    assert after[-1] <= mu[-1] + 1e-9


@given(gap=st.floats(0.1, 30), sigma=st.floats(0.5, 8))
def test_a_draw_moves_both_together(gap, sigma):
    after, _ = rated([10 + gap, 10.0], [sigma, sigma], [True])
    assert 0 < after[0] - after[1] < gap
    assert after.sum() == pytest.approx(20 + gap)


def test_a_draw_of_equals_moves_nobody():
    after, sigma = rated([10.0, 10.0], [8.0, 8.0], [True])
    assert after == pytest.approx([10, 10])
    assert (sigma < 8).all()


@given(order=st.permutations(range(5)), seed=st.integers(0, 50))
def test_where_nobody_ties_it_does_not_matter_who_sat_where(order, seed):
    chance = np.random.default_rng(seed)
    scores, names = chance.permutation(5).astype(float), "abcde"
    game = [(names[i], scores[i]) for i in range(5)]
    other = [("a", 1.0), ("c", 2.0), ("e", 3.0)]
    one = multipass(results_of([other, game]), passes=3)
    two = multipass(results_of([other, [game[i] for i in order]]), passes=3)
    assert one == two


def test_copies_count_as_one_observation_of_their_player():
    # Each seat is told as if the other were somebody else's; the player keeps the mean, in precision and weight.
    results = results_of([[("twin", 3.0), ("other", 2.0), ("twin", 1.0)]])
    result = {rating.name: rating for rating in multipass(results, passes=1, draw_probability=0.3)}
    mu, sigma = rated([10.0] * 3, [25 / 3] * 3, [False, False])
    precision = sigma**-2
    twin = (precision[0] + precision[2]) / 2
    assert result["twin"].sigma == pytest.approx(twin**-0.5)
    assert result["twin"].mu == pytest.approx((precision[0] * mu[0] + precision[2] * mu[2]) / 2 / twin)
    assert (result["other"].mu, result["other"].sigma) == pytest.approx((mu[1], sigma[1]))
    assert [rating.games for rating in result.values()] == [1, 1]


def test_a_game_of_one_player_with_itself_tells_nothing():
    lone, met = [("a", 2.0), ("a", 1.0)], [("a", 2.0), ("b", 1.0)]
    with_it = {rating.name: rating for rating in multipass(results_of([met, lone]), passes=2)}
    without = {rating.name: rating for rating in multipass(results_of([met]), passes=2)}
    assert with_it["a"].mu == without["a"].mu
    assert (with_it["a"].games, without["a"].games) == (2, 1)


def mixed_games(seed=5, games=60):
    """Tables of 2 to 5 seats, with copies and ties."""
    chance = np.random.default_rng(seed)
    return results_of(
        [
            [
                ("abcdefghij"[i], float(s))
                for i, s in zip(chance.integers(0, 10, n), chance.integers(0, 4, n), strict=True)
            ]
            for n in chance.integers(2, 6, games)
        ]
    )


def test_waves_give_what_one_game_after_another_gives():
    results = mixed_games()
    order = orders(results.comparing, passes=4, seed=9)
    result = skills_after(results, MODEL, order)
    for number in range(len(order)):
        precision = np.full(len(results.names), MODEL.sigma**-2)
        weight = precision * MODEL.mu
        for game in order[number]:
            best_first = sorted(range(results.sizes[game]), key=lambda seat, game=game: -results.scores[game, seat])
            who, scores = results.players[game, best_first], results.scores[game, best_first]
            tied = (scores[:-1] == scores[1:])[:, None]
            after = rate(MODEL, Skills(precision[who][:, None], weight[who][:, None]), tied)
            for player in set(who):
                precision[player] = after.precision[who == player].mean()
                weight[player] = after.weight[who == player].mean()
        np.testing.assert_allclose(result.precision[number], precision, rtol=1e-11)
        np.testing.assert_allclose(result.weight[number], weight, rtol=1e-11)


@pytest.mark.parametrize(
    "model", [MODEL, pytest.param(TrueSkill(tau=0.5, draw_probability=0.001), marks=pytest.mark.slow)]
)
def test_compiled_code_gives_what_arrays_give(model):
    pytest.importorskip("numba")
    for results in (mixed_games(), mixed_games(seed=6, games=200), one_sided()):
        order = orders(results.comparing, passes=3, seed=2)
        slow, fast = in_arrays(results, model, order), compiled(results, model, order)
        np.testing.assert_allclose(fast.precision, slow.precision, rtol=1e-9)
        np.testing.assert_allclose(fast.weight / fast.precision, slow.weight / slow.precision, rtol=1e-9, atol=1e-9)


def one_sided():
    """The same player ahead again and again, and then last: differences far in the tails."""
    return results_of([[("a", 3.0), ("b", 2.0), ("c", 1.0)]] * 200 + [[("c", 3.0), ("b", 2.0), ("a", 1.0)]] * 3)


def test_many_games_are_rated_by_compiled_code(monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(sys.modules[orders.__module__], "in_arrays", None)
    monkeypatch.setattr(sys.modules[orders.__module__], "_MIN_COMPILED_GAMES", 100)
    assert multipass(mixed_games(), passes=2)


def test_no_player_is_twice_in_a_wave():
    results = mixed_games()
    order = orders(results.comparing, passes=3, seed=1)
    for pass_order, pass_waves in zip(order, waves(results.players, order, len(results.names)), strict=True):
        seen = set()
        for game, wave in zip(pass_order, pass_waves, strict=True):
            for player in set(results.players[game]) - {EMPTY_SEAT}:
                assert (wave, player) not in seen
                seen.add((wave, player))


def test_same_seed_same_ratings_and_passes_have_orders_of_their_own():
    results = mixed_games()
    assert multipass(results, passes=5, seed=3) == multipass(results, passes=5, seed=3)
    assert multipass(results, passes=5, seed=3) != multipass(results, passes=5, seed=4)
    order = orders(np.arange(50), passes=20, seed=0)
    assert len({tuple(row) for row in order.tolist()}) == 20
    assert all(sorted(row) == list(range(50)) for row in order.tolist())


def test_more_passes_begin_with_the_same_passes():
    assert (orders(np.arange(30), 8, seed=2)[:3] == orders(np.arange(30), 3, seed=2)).all()


def test_nobody_played_gives_no_ratings():
    assert multipass(results_of([])) == []


@pytest.mark.parametrize(
    ("names", "players", "scores", "complaint"),
    [
        (("a", "b"), [[0, 1], [0, EMPTY_SEAT]], [[1, 2], [1, 0]], "game 1 has fewer than 2 seats"),
        (("a", "b"), [[0, 2]], [[1, 2]], "game 0 has a seat held by an unknown player"),
        (("a", "b"), [[0, -2]], [[1, 2]], "unknown player"),
        (("a", "b"), [[0, 1]], [[1, math.nan]], "game 0 has a score that is not a finite number"),
        (("a", "b"), [[0, 1]], [[1, 2, 3]], "tables with a row for each game"),
        (("a", "a"), [[0, 1]], [[1, 2]], "same name"),
    ],
)
def test_results_that_cannot_be_are_named(names, players, scores, complaint):
    with pytest.raises(InputError, match=complaint):
        GameResults(names, np.asarray(players), np.asarray(scores, dtype=float))


def test_an_empty_seat_needs_no_score():
    results = GameResults(("a", "b"), np.asarray([[0, EMPTY_SEAT, 1]]), np.asarray([[2.0, math.nan, 1.0]]))
    assert [rating.name for rating in multipass(results, passes=1)] == ["a", "b"]
    assert results.mean_scores().tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"draw_probability": 1.0}, "draw probability"),
        ({"draw_probability": -0.1}, "draw probability"),
        ({"sigma": 0.0}, "sigma"),
        ({"beta": math.inf}, "beta"),
        ({"tau": -1.0}, "tau"),
        ({"mu": math.nan}, "mu"),
        ({"passes": 0}, "passes"),
        ({"seed": -1}, "seed"),
        ({"draw_probability": 0.0}, "tie"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, complaint):
    with pytest.raises(InputError, match=complaint):
        multipass(results_of([[("a", 1.0), ("b", 1.0)]]), **settings)


GAMES = 50
EXACT = (lambda x: float(ndtr(x)), lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), lambda x: float(ndtri(x)))


def games(seats, tie_share, seed):
    """Random skills, of players hardly and well known, with random ties."""
    chance = np.random.default_rng(seed)
    mu, sigma = chance.normal(10, 4, (seats, GAMES)), chance.uniform(0.3, 8.3, (seats, GAMES))
    return mu, sigma, chance.random((seats - 1, GAMES)) < tie_share


def ours(model, mu, sigma, tied):
    after = rate(model, Skills(sigma**-2, mu * sigma**-2), tied)
    return after.weight / after.precision, after.precision**-0.5


def theirs(model, mu, sigma, tied, backend):
    peer = trueskill.TrueSkill(model.mu, model.sigma, model.beta, model.tau, model.draw_probability, backend)
    means, deviations = np.empty_like(mu), np.empty_like(mu)
    for game in range(mu.shape[1]):
        ranks = [0, *np.cumsum(~tied[:, game]).tolist()]
        teams = [(peer.create_rating(m, s),) for m, s in zip(mu[:, game], sigma[:, game], strict=True)]
        for seat, (rating,) in enumerate(peer.rate(teams, ranks)):
            means[seat, game], deviations[seat, game] = rating.mu, rating.sigma
    return means, deviations


def furthest(one, other):
    return max(float(np.max(np.abs(a - b))) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("seats", sampled(range(2, 9), 3))
@pytest.mark.parametrize("tie_share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("draw_probability", "tau"), [(0.1, 0.0), (0.4, 0.0), (0.25, 0.5)])
def test_every_game_is_rated_as_the_package_rates_it(seats, tie_share, draw_probability, tau):
    model = TrueSkill(draw_probability=draw_probability, tau=tau)
    played = games(seats, tie_share, seed=seats)
    assert furthest(ours(model, *played), theirs(model, *played, EXACT)) < 1e-11


@pytest.mark.parametrize("seats", [2, 5])
def test_the_packages_own_arithmetic_is_near(seats):
    model = TrueSkill(draw_probability=0.4)
    played = games(seats, 0.2, seed=100 + seats)
    assert furthest(ours(model, *played), theirs(model, *played, None)) < 1e-4


def test_a_draw_probability_of_nothing_agrees_too_where_nobody_ties():
    model = TrueSkill(draw_probability=0.0)
    mu, sigma, tied = games(5, 0.0, seed=7)
    assert furthest(ours(model, mu, sigma, tied), theirs(model, mu, sigma, tied, EXACT)) < 1e-11


def test_a_game_does_not_depend_on_which_others_are_rated_beside_it():
    # They need different numbers of sweeps, so some settle while others go on.
    model = TrueSkill(draw_probability=0.4)
    mu, sigma, tied = games(6, 0.3, seed=3)
    together = ours(model, mu, sigma, tied)
    for game in range(GAMES):
        alone = ours(model, mu[:, [game]], sigma[:, [game]], tied[:, [game]])
        assert furthest([part[:, [game]] for part in together], alone) < 1e-12
