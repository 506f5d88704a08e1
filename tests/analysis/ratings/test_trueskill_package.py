"""TrueSkill in arrays against the `trueskill` package, game by game.

The package's own approximation of erfc is good to 1e-7, so it is given exact functions of the normal distribution; then
the two agree to 1e-12 and better. With its own functions they agree to 1e-4 of a point, which is tested too."""

import math

import numpy as np
import pytest
import trueskill
from scipy.special import ndtr, ndtri

from ostrom.analysis.ratings import Skills, TrueSkill, rate
from sampling import sampled

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
